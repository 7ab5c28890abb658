"""Reading tables: typed attributes, cases with classes and weights, and counts of them."""
