"""What `make test` leaves out: tables of Polars, 180 MB that it does not install."""

from tiers import TIER

collect_ignore = ["test_frames.py"] if TIER == "quick" else []
