"""Vector instructions whose calls need code of their own; the others are declarations alone."""
