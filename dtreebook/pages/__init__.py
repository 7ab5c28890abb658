"""What the pages of the book need: explorables, quizzes, documented results, code listings."""
