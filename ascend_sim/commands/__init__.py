"""Subcommands of `ascend-sim`, one module each: `declare` adds its parser and says which function it calls."""
