# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Adds vectors with a kernel of numba-cuda, and with a ufunc.

Expected output:
kernel: True
ufunc: True
"""
import warnings

import numpy
from numba import cuda, vectorize

warnings.simplefilter("ignore")  # about the small grid


@cuda.jit
def add(a, b, total):
    i = cuda.grid(1)
    if i < total.size:
        total[i] = a[i] + b[i]


@vectorize(["float64(float64, float64)"], target="cuda")
def hypotenuse(a, b):
    return (a * a + b * b) ** 0.5


a = numpy.arange(1000, dtype=numpy.float32)
b = 3 * a
total = numpy.zeros_like(a)
add[8, 128](a, b, total)
print("kernel:", bool((total == 4 * a).all()))
print("ufunc:", bool(numpy.allclose(hypotenuse(a.astype(float), b.astype(float)), a * 10 ** 0.5)))
