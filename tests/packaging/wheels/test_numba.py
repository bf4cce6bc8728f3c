# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""A test as a project with numba-cuda has it. It knows nothing of cubind."""
import numpy
import pytest
from numba import cuda


@cuda.jit
def add(a, b, total):
    i = cuda.grid(1)
    if i < total.size:
        total[i] = a[i] + b[i]


@pytest.mark.filterwarnings("ignore")  # about the small grid
def test_adds_vectors():
    a = numpy.arange(1000, dtype=numpy.float32)
    total = numpy.zeros_like(a)
    add[8, 128](a, 3 * a, total)
    assert (total == 4 * a).all()
