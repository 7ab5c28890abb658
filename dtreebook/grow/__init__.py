"""Growing a tree, a whole level at a time: one loop, and what ID3, C4.5 and CART do differently."""
