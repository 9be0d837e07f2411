"""Tensors: what a kernel names memory by, and the scalar unit that reads and writes it element by element."""
