# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles a template of a kernel with cuda.core, which asks NVRTC for machine code, and runs it for two types.

Expected output:
compiled for sm_90
float [1.0, 3.5, 6.0, 8.5]
double [1.0, 3.5, 6.0, 8.5]
"""
import ctypes

from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program, ProgramOptions, launch

SOURCE = """
template <class T> __global__ void saxpy(T factor, const T* x, const T* y, T* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = factor * x[i] + y[i];
}
"""
COUNT = 4

device = Device()
device.set_current()
stream = device.create_stream()
pinned = LegacyPinnedMemoryResource()
arch = "".join(str(number) for number in device.compute_capability)
program = Program(SOURCE, code_type="c++", options=ProgramOptions(std="c++17", arch=f"sm_{arch}"))
module = program.compile("cubin", name_expressions=("saxpy<float>", "saxpy<double>"))
print(f"compiled for sm_{arch}")
for name, kind in ("float", ctypes.c_float), ("double", ctypes.c_double):
    size = ctypes.sizeof(kind) * COUNT
    buffers = [pinned.allocate(size, stream=stream) for _ in range(3)]
    x, y, out = ((kind * COUNT).from_address(int(buffer.handle)) for buffer in buffers)
    for i in range(COUNT):
        x[i], y[i] = i, 1 + i / 2
    arguments = kind(2), *buffers, ctypes.c_int(COUNT)
    launch(stream, LaunchConfig(grid=1, block=32), module.get_kernel(f"saxpy<{name}>"), *arguments)
    stream.sync()
    print(name, list(out))
    for buffer in buffers:
        buffer.close(stream)
stream.close()
