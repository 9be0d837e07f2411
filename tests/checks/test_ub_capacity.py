"""`ub-capacity`: a buffer that does not fit; the message lists what is there."""

import pytest

from ascend_sim import Duplicate, half, uint8_t
from isa.products import PRODUCTS
from tests.helpers import ALL, clean, refused_in_every_mode


@pytest.mark.parametrize("product", ALL)
def test_one_block_too_many(product):
    size = PRODUCTS[product].ub_bytes

    def kernel(core):
        core.alloc(uint8_t, 1000, name="weights")
        core.alloc(half, (size - 1024) // 2, name="activations")
        yield ()
        core.alloc(uint8_t, 1, name="bias")  # fires

    words = (str(size), "weights", "activations", "bias", "1000", str(size - 1024))
    refused_in_every_mode(kernel, "ub-capacity", product=product, words=words)


def test_placed_over_the_end():
    size = PRODUCTS["ascend910b"].ub_bytes

    def kernel(core):
        yield ()
        core.alloc(half, 32, addr=size - 32)  # fires

    refused_in_every_mode(kernel, "ub-capacity", words=(str(size),))


@pytest.mark.parametrize("product", ALL)
def test_exact_fit(product):
    size = PRODUCTS[product].ub_bytes

    def kernel(core):
        core.alloc(uint8_t, size - 64)
        last = core.alloc(half, 32)
        yield last
        Duplicate(last, 1.0, 32)

    clean(kernel, product=product)
