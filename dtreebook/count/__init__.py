"""Counting the cases of a level: tables of counts, and what makes them from arrays."""
