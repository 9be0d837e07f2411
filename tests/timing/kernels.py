"""Kernels that the timing tests share."""

import numpy as np

from ascend_sim import (
    NPU,
    Add,
    DataCopy,
    GetBlockIdx,
    GetBlockNum,
    GlobalTensor,
    TBuf,
    TPipe,
    TPosition,
    TQue,
    half,
    kernel,
)

TILE = 4096


def add_kernel(buffers, padding=0):
    """The add kernel of every AscendC tutorial; padding: bytes between the queue of x and the rest."""

    @kernel
    def add_custom(x, y, z, total):
        per = total // GetBlockNum()
        first = per * GetBlockIdx()
        tensors = GlobalTensor(half), GlobalTensor(half), GlobalTensor(half)
        for tensor, array in zip(tensors, (x, y, z), strict=True):
            tensor.SetGlobalBuffer(array + first, per)
        gx, gy, gz = tensors
        pipe = TPipe()
        qx, qy, qz = (TQue(p, buffers) for p in (TPosition.VECIN, TPosition.VECIN, TPosition.VECOUT))
        pipe.InitBuffer(qx, buffers, TILE * 2)
        if padding:
            pipe.InitBuffer(TBuf(TPosition.VECCALC), padding)
        pipe.InitBuffer(qy, buffers, TILE * 2)
        pipe.InitBuffer(qz, buffers, TILE * 2)
        for i in range(per // TILE):
            a, b = qx.AllocTensor(half), qy.AllocTensor(half)
            DataCopy(a, gx[i * TILE :], TILE)
            DataCopy(b, gy[i * TILE :], TILE)
            qx.EnQue(a)
            qy.EnQue(b)
            a, b, c = qx.DeQue(half), qy.DeQue(half), qz.AllocTensor(half)
            Add(c, a, b, TILE)
            qz.EnQue(c)
            qx.FreeTensor(a)
            qy.FreeTensor(b)
            c = qz.DeQue(half)
            DataCopy(gz[i * TILE :], c, TILE)
            qz.FreeTensor(c)

    return add_custom


def launch_add(buffers=2, padding=0, blocks=1, tiles=8, product="ascend910b"):
    """Run it; returns the report."""
    n = TILE * tiles * blocks
    x, y, z = (np.full(n, v, np.float16) for v in (1, 2, 0))
    report = NPU(product).launch(add_kernel(buffers, padding), blocks, x, y, z, n)
    assert (z == 3).all()
    return report
