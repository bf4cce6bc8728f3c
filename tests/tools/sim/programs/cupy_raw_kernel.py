# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Runs kernels in CUDA C++ with CuPy: a RawModule with a template, an ElementwiseKernel and a ReductionKernel in a stream.

Expected output:
[2.5 3.5 4.5]
[0 3 8]
length 5.0
"""
import cupy

SOURCE = r"""
template <class T> __global__ void shift(T* values, T distance) { values[threadIdx.x] += distance; }
"""
module = cupy.RawModule(code=SOURCE, options=("-std=c++17",), name_expressions=("shift<double>",))
values = cupy.arange(3, dtype=cupy.float64)
with cupy.cuda.Stream(non_blocking=True) as stream:
    module.get_function("shift<double>")((1,), (3,), (values, cupy.float64(2.5)))
    stream.synchronize()
print(values)
combine = cupy.ElementwiseKernel("int64 x, int64 y", "int64 z", "z = x * y", "combine")
print(combine(cupy.arange(3), cupy.arange(3) + 2))
length = cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "length")
print("length", length(cupy.asarray([3.0, 4.0])))
