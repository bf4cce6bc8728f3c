# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Computes with arrays of CuPy, which contains NVIDIA's static runtime library: elementwise functions, reductions, indexing, a fusion.

Expected output:
[0. 1. 4. 9.]
sum 499500, mean 499.5, largest 999
[ 1  3  6 10]
[7 5 3 1]
fused [1.0, 3.0, 9.0, 19.0]
"""
import cupy

print(cupy.arange(4, dtype=cupy.float64) ** 2)
numbers = cupy.arange(1000)
print(f"sum {numbers.sum()}, mean {numbers.mean()}, largest {numbers.max()}")
print(cupy.cumsum(cupy.asarray([1, 2, 3, 4])))
print(numbers[1:9:2][::-1])


@cupy.fuse()
def polynomial(x):
    return 2 * x * x + 1


print("fused", polynomial(cupy.arange(4, dtype=cupy.float32)).tolist())
