# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Calls the driver by ctypes, as small clients in many languages do, with PTX that the program contains.

Expected output:
driver of CUDA 13
[1, 3, 5, 7]
"""
import ctypes

PTX = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry odd(.param .u64 out) {
    .reg .b64 %address, %offset;
    .reg .b32 %index, %value;
    ld.param.u64 %address, [out];
    mov.u32 %index, %tid.x;
    mul.wide.u32 %offset, %index, 4;
    add.s64 %address, %address, %offset;
    mad.lo.u32 %value, %index, 2, 1;
    st.global.u32 [%address], %value;
    ret;
}
"""
driver = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    status = getattr(driver, name)(*arguments)
    assert status == 0, f"{name}: {status}"


version, device = ctypes.c_int(), ctypes.c_int()
context, module, function, memory = (ctypes.c_void_p() for _ in range(4))
call("cuInit", 0)
call("cuDriverGetVersion", ctypes.byref(version))
print("driver of CUDA", version.value // 1000)
call("cuDeviceGet", ctypes.byref(device), 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
call("cuCtxPushCurrent_v2", context)
call("cuModuleLoadDataEx", ctypes.byref(module), PTX, 0, None, None)
call("cuModuleGetFunction", ctypes.byref(function), module, b"odd")
call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(16))
parameters = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
call("cuLaunchKernel", function, 1, 1, 1, 4, 1, 1, 0, None, parameters, None)
out = (ctypes.c_uint * 4)()
call("cuMemcpyDtoH_v2", out, memory, ctypes.c_size_t(16))
print(list(out))
