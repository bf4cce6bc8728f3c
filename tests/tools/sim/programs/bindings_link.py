# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Links two sources by nvJitLink with cuda.bindings, as LTO-IR, and runs the machine code that it asks for.

Expected output:
[10, 13, 16, 19]
"""
import ctypes

from cuda.bindings import driver, nvjitlink, nvrtc

SOURCES = (b'extern "C" __device__ int compute(int); extern "C" __global__ void fill(int* out) { out[threadIdx.x] = compute(threadIdx.x); }',
           b'extern "C" __device__ int compute(int value) { return 3 * value + 10; }')


def call(function, *arguments):
    status, *results = function(*arguments)
    assert int(status) == 0, f"{function.__name__}: {status}"
    return results[0] if len(results) == 1 else results


call(driver.cuInit, 0)
call(driver.cuCtxSetCurrent, call(driver.cuDevicePrimaryCtxRetain, 0))
link = nvjitlink.create(2, ["-arch=sm_90", "-lto"])
for source in SOURCES:
    program = call(nvrtc.nvrtcCreateProgram, source, b"part.cu", 0, [], [])
    call(nvrtc.nvrtcCompileProgram, program, 3, [b"-arch=sm_90", b"-dlto", b"-rdc=true"])
    code = bytearray(call(nvrtc.nvrtcGetLTOIRSize, program))
    call(nvrtc.nvrtcGetLTOIR, program, code)
    nvjitlink.add_data(link, nvjitlink.InputType.LTOIR, bytes(code), len(code), "part")
nvjitlink.complete(link)
linked = bytearray(nvjitlink.get_linked_cubin_size(link))
nvjitlink.get_linked_cubin(link, linked)
nvjitlink.destroy(link)
kernel = call(driver.cuModuleGetFunction, call(driver.cuModuleLoadData, bytes(linked)), b"fill")
memory = call(driver.cuMemAlloc, 16)
call(driver.cuLaunchKernel, kernel, 1, 1, 1, 4, 1, 1, 0, 0, ((memory,), (None,)), 0)
out = (ctypes.c_int * 4)()
call(driver.cuMemcpyDtoH, ctypes.addressof(out), memory, 16)
print(list(out))
