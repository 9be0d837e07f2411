"""The way of a call of an ordinary instruction, from its declaration to a program that a core can run."""
