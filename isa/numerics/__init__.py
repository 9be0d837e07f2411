"""How bits become other bits: formats, rounding, saturation. Pure functions on arrays; no state, no memory."""
