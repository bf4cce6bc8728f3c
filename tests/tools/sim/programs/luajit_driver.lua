-- SPDX-FileCopyrightText: The cubind authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Copies memory in a stream with the foreign functions of LuaJIT.
--
-- Expected output:
-- 1 device with 9.0
-- 285
local ffi = require("ffi")
ffi.cdef [[
int cuInit(unsigned flags);
int cuDeviceGetCount(int* count);
int cuDeviceGetAttribute(int* value, int attribute, int device);
int cuDevicePrimaryCtxRetain(void** context, int device);
int cuCtxSetCurrent(void* context);
int cuStreamCreate(void** stream, unsigned flags);
int cuMemAlloc_v2(uint64_t* memory, size_t size);
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t size, void* stream);
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t size, void* stream);
int cuStreamSynchronize(void* stream);
]]
local driver = ffi.load("libcuda.so.1")
local function check(status) assert(status == 0, "status " .. tostring(status)) end

local count, major, minor = ffi.new("int[1]"), ffi.new("int[1]"), ffi.new("int[1]")
check(driver.cuInit(0))
check(driver.cuDeviceGetCount(count))
check(driver.cuDeviceGetAttribute(major, 75, 0))
check(driver.cuDeviceGetAttribute(minor, 76, 0))
print(string.format("%d device with %d.%d", count[0], major[0], minor[0]))

local context, stream, memory = ffi.new("void*[1]"), ffi.new("void*[1]"), ffi.new("uint64_t[1]")
check(driver.cuDevicePrimaryCtxRetain(context, 0))
check(driver.cuCtxSetCurrent(context[0]))
check(driver.cuStreamCreate(stream, 0))
check(driver.cuMemAlloc_v2(memory, 80))
local numbers, back = ffi.new("double[10]"), ffi.new("double[10]")
for i = 0, 9 do numbers[i] = i * i end
check(driver.cuMemcpyHtoDAsync_v2(memory[0], numbers, 80, stream[0]))
check(driver.cuMemcpyDtoHAsync_v2(back, memory[0], 80, stream[0]))
check(driver.cuStreamSynchronize(stream[0]))
local sum = 0
for i = 0, 9 do sum = sum + back[i] end
print(sum)
