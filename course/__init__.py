"""The course that goes with the book: graded assignments, and the grader."""
