"""First values of the documentation's examples, for instructions whose pages print too few to be data files.

Each row: instruction, product, types (destinations first), sources, scalars, results of the count form.
"""

from ascend_sim import RoundMode, float32, half, int8_t, int16_t, int32_t, uint16_t

A2, A950 = "ascend910b", "ascend950"
ASCENDING, DESCENDING = [1, 2, 3, 512], [513, 512, 511, 2]

COUNT_FORMS = [
    ("Abs", A2, (half, half), [[0, -1, 2, -3]], (), [[0, 1, 2, 3]]),
    ("Add", A2, (half,) * 3, [ASCENDING, [513, 514, 515, 1024]], (), [[514, 516, 518, 1536]]),
    ("Adds", A2, (half,) * 2, [ASCENDING], (2,), [[3, 4, 5, 514]]),
    ("Div", A2, (half,) * 3, [ASCENDING, [2] * 4], (), [[0.5, 1, 1.5, 256]]),
    ("Divs", A950, (float32,) * 2, [[2, 4, 6, 1024]], (2,), [[1, 2, 3, 512]]),
    ("LeakyRelu", A2, (half,) * 2, [[-287, 246, -438, 177]], (0.001,), [[-0.287, 246, -0.438, 177]]),
    ("Max", A2, (half,) * 3, [ASCENDING, DESCENDING], (), [[513, 512, 511, 512]]),
    ("Maxs", A2, (half,) * 2, [ASCENDING], (2,), [[2, 2, 3, 512]]),
    ("Min", A2, (half,) * 3, [ASCENDING, DESCENDING], (), [[1, 2, 3, 2]]),
    ("Mins", A2, (half,) * 2, [ASCENDING], (2,), [[1, 2, 2, 2]]),
    ("Mul", A2, (half,) * 3, [ASCENDING, [2] * 4], (), [[2, 4, 6, 1024]]),
    ("Muls", A2, (half,) * 2, [ASCENDING], (2,), [[2, 4, 6, 1024]]),
    ("Neg", A950, (half,) * 2, [[1, 2, 3, 4]], (), [[-1, -2, -3, -4]]),
    ("Relu", A2, (half,) * 2, [[6.938, -8.86, -0.2263, 1.971]], (), [[6.938, 0, 0, 1.971]]),
    ("Sub", A2, (half,) * 3, [ASCENDING, [513, 514, 515, 1024]], (), [[-512] * 4]),
    ("Subs", A950, (half,) * 2, [ASCENDING], (1,), [[0, 1, 2, 511]]),
    ("AbsSub", A950, (half,) * 3, [ASCENDING, [513, 514, 515, 1024]], (), [[512] * 4]),
    ("AddRelu", A2, (half,) * 3, [[1, -2, 3, -6], [1, 3, -4, 5]], (), [[2, 1, 0, 0]]),
    ("AddReluCast", A2, (int8_t, half, half), [[1, 1, 3, 512], [0, 0.5, -4, -513]], (), [[1, 2, 0, 0]]),
    ("ExpSub", A950, (float32,) * 3, [[1, 2, 4, 510], [1, 1, 2, 510]], (), [[1, 2.71828, 7.38905, 1]]),
    ("MulCast", A2, (int8_t, half, half), [[1, -2, 3, -6], [1, 3, -4, 5]], (), [[1, -6, -12, -30]]),
    ("MulsCast", A950, (half, float32), [[6, 5, 11]], (2,), [[12, 10, 22]]),
    ("SubRelu", A2, (half,) * 3, [ASCENDING, [0, 1, 4, 513]], (), [[1, 1, 0, 0]]),
    ("SubReluCast", A2, (int8_t, half, half), [ASCENDING, [0, 0.5, 4, 513]], (), [[1, 2, 0, 0]]),
    ("Truncate", A950, (float32,) * 2, [[-37.063736, 64.17277, -33.448692]], (RoundMode.CAST_FLOOR,), [[-38, 64, -34]]),
    ("And", A2, (int16_t,) * 3, [ASCENDING, DESCENDING], (), [[1, 0, 3, 0]]),
    ("Ands", A950, (int16_t,) * 2, [ASCENDING], (0,), [[0] * 4]),
    ("Or", A2, (int16_t,) * 3, [ASCENDING, DESCENDING], (), [[513, 514, 511, 514]]),
    ("Ors", A950, (int16_t,) * 2, [[2, 4, 6]], (1,), [[3, 5, 7]]),
    ("ShiftLeft", A2, (uint16_t,) * 2, [ASCENDING], (2,), [[4, 8, 12, 2048]]),
    ("ShiftRight", A2, (uint16_t,) * 2, [[1, 2, 3, 4, 5, 512]], (2,), [[0, 0, 0, 1, 1, 128]]),
    ("Duplicate", A2, (half,), [], (18,), [[18] * 4]),
    ("CreateVecIndex", A2, (int16_t,), [], (0,), [[0, 1, 2, 3]]),
    ("Copy", A950, (int16_t,) * 2, [[9, -2, 8, 9]], (), [[9, -2, 8, 9]]),
    ("Interleave", A950, (int32_t,) * 4, [[1, 2, 3, 4], [5, 6, 7, 8]], (), [[1, 5, 2, 6], [3, 7, 4, 8]]),
    ("DeInterleave", A950, (int32_t,) * 4, [[1, 2, 3, 4], [5, 6, 7, 8]], (), [[1, 3, 5, 7], [2, 4, 6, 8]]),
    ("Axpy", A2, (half, half), [[1, 2, 3, 4]], (2.0,), [[2, 4, 6, 8]]),
    ("VectorPadding", "ascend310p", (half,) * 2, [[6.938, *[1.0] * 15]], (0, False), [[6.938] * 16]),
]
