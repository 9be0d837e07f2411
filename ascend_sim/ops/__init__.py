"""Operators of a framework and of the operator library, built from instructions alone: `pypto` and `aclnn`."""
