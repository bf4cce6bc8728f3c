# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Counts random numbers with numba-cuda: shared memory, atomic operations, random states on the device, and a reduction.

Expected output:
counted: 4096
within 30 percent: True
largest: 31
"""
import warnings

import numpy
from numba import cuda, int32
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

warnings.simplefilter("ignore")
BINS = 32


@cuda.jit
def count_numbers(states, counts, rounds):
    own = cuda.shared.array(BINS, int32)
    thread = cuda.threadIdx.x
    if thread < BINS:
        own[thread] = 0
    cuda.syncthreads()
    for _ in range(rounds):
        cuda.atomic.add(own, int(xoroshiro128p_uniform_float32(states, cuda.grid(1)) * BINS), 1)
    cuda.syncthreads()
    if thread < BINS:
        cuda.atomic.add(counts, thread, own[thread])


@cuda.reduce
def largest(a, b):
    return max(a, b)


states = create_xoroshiro128p_states(256, seed=5)
counts = cuda.to_device(numpy.zeros(BINS, dtype=numpy.int32))
count_numbers[2, 128](states, counts, 16)
found = counts.copy_to_host()
print("counted:", found.sum())
print("within 30 percent:", bool(abs(found - 128).max() < 0.3 * 128))
print("largest:", largest(cuda.to_device(numpy.arange(BINS))))
