"""Copies between global memory and the Unified Buffer."""
