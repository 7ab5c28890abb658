"""A grown tree: its nodes and tests, the way of a case through it, its text and its stored form."""
