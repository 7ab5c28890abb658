"""The press: what runs the notebooks, and makes plain notebooks, editions and exercises of them."""
