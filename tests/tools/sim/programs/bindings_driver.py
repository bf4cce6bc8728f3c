# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Uses the driver API and NVRTC by cuda.bindings.

Expected output:
devices: 1
[0, 1, 4, 9, 16, 25, 36, 49]
error of a wrong device: CUDA_ERROR_INVALID_DEVICE
"""
import ctypes

from cuda.bindings import driver, nvrtc

SOURCE = b'extern "C" __global__ void square(int* out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }'
COUNT = 8


def call(function, *arguments):
    status, *results = function(*arguments)
    assert int(status) == 0, f"{function.__name__}: {status}"
    return results[0] if len(results) == 1 else results


call(driver.cuInit, 0)
print("devices:", call(driver.cuDeviceGetCount))
call(driver.cuCtxSetCurrent, call(driver.cuDevicePrimaryCtxRetain, call(driver.cuDeviceGet, 0)))
program = call(nvrtc.nvrtcCreateProgram, SOURCE, b"square.cu", 0, [], [])
call(nvrtc.nvrtcCompileProgram, program, 1, [b"--gpu-architecture=sm_90"])
code = bytearray(call(nvrtc.nvrtcGetCUBINSize, program))
call(nvrtc.nvrtcGetCUBIN, program, code)
library = call(driver.cuLibraryLoadData, bytes(code), [], [], 0, [], [], 0)
kernel = call(driver.cuKernelGetFunction, call(driver.cuLibraryGetKernel, library, b"square"))
stream = call(driver.cuStreamCreate, driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
memory = call(driver.cuMemAllocAsync, 4 * COUNT, stream)
call(driver.cuLaunchKernel, kernel, 1, 1, 1, COUNT, 1, 1, 0, stream, ((memory,), (None,)), 0)
out = (ctypes.c_int * COUNT)()
call(driver.cuMemcpyDtoHAsync, ctypes.addressof(out), memory, 4 * COUNT, stream)
call(driver.cuMemFreeAsync, memory, stream)
call(driver.cuStreamSynchronize, stream)
print(list(out))
print("error of a wrong device:", driver.cuDeviceGet(99)[0].name)
