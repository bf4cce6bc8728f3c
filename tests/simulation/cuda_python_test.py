#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a CUDA Python program, which does not use cubind, on the simulated driver."""

import ctypes
import os
import sys

try:
    from cuda.bindings import driver
except ImportError as error:
    print(f"CUDA Python is not available ({error}); run scripts/fetch-python to fetch it")
    sys.exit(77)


def call(function, *arguments):
    """Calls a function that must succeed and returns its results: an empty list, one value, or a list of values."""
    status, *results = function(*arguments)
    assert status == driver.CUresult.CUDA_SUCCESS, f"{function.__name__}: {status}"
    return results[0] if len(results) == 1 else results


def expect_status(expected, function, *arguments):
    status = function(*arguments)[0]
    assert status == expected, f"{function.__name__} returned {status}, expected {expected}"


def query_devices():
    assert call(driver.cuDriverGetVersion) >= 12000
    assert call(driver.cuDeviceGetCount) == 2
    for ordinal in range(2):
        device = call(driver.cuDeviceGet, ordinal)
        assert call(driver.cuDeviceGetName, 100, device).rstrip(b"\0 ")
        assert call(driver.cuDeviceTotalMem, device) > 0
        threads = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK
        assert call(driver.cuDeviceGetAttribute, threads, device) == 1024
    assert call(driver.cuDeviceCanAccessPeer, 0, 1) == 1
    expect_status(driver.CUresult.CUDA_ERROR_INVALID_DEVICE, driver.cuDeviceGet, 2)


def copy_in_order():
    size = 1 << 16
    data = bytes(range(256)) * (size // 256)
    back = bytearray(size)
    first, second = (call(driver.cuMemAlloc, size) for _ in range(2))
    here, there = (call(driver.cuStreamCreate, driver.CUstream_flags.CU_STREAM_NON_BLOCKING) for _ in range(2))
    start, copied = (call(driver.cuEventCreate, driver.CUevent_flags.CU_EVENT_DEFAULT) for _ in range(2))
    call(driver.cuEventRecord, start, here)
    call(driver.cuMemcpyHtoDAsync, first, data, size, here)
    call(driver.cuEventRecord, copied, here)
    call(driver.cuStreamWaitEvent, there, copied, 0)
    call(driver.cuMemcpyDtoDAsync, second, first, size, there)
    call(driver.cuStreamSynchronize, there)
    call(driver.cuMemcpyDtoH, back, second, size)
    assert back == data
    assert call(driver.cuEventElapsedTime, start, copied) >= 0
    expect_status(driver.CUresult.CUDA_ERROR_INVALID_VALUE, driver.cuMemcpyHtoD, first, data, size + 1)
    in_order = call(driver.cuMemAllocAsync, size, here)
    call(driver.cuMemFreeAsync, in_order, here)
    call(driver.cuStreamSynchronize, here)
    for event in (start, copied):
        call(driver.cuEventDestroy, event)
    for stream in (here, there):
        call(driver.cuStreamDestroy, stream)
    for memory in (first, second):
        call(driver.cuMemFree, memory)
    expect_status(driver.CUresult.CUDA_ERROR_INVALID_VALUE, driver.cuMemFree, first)


def run_host_function():
    called = []
    function_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    function = function_type(called.append)
    stream = call(driver.cuStreamCreate, 0)
    host_function = driver.CUhostFn(_ptr=ctypes.addressof(function))
    call(driver.cuLaunchHostFunc, stream, host_function, 42)
    call(driver.cuStreamSynchronize, stream)
    assert called == [42]
    call(driver.cuStreamDestroy, stream)


def map_memory():
    properties = driver.CUmemAllocationProp()
    properties.type = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    properties.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    flag = driver.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM
    size = call(driver.cuMemGetAllocationGranularity, properties, flag)
    handle = call(driver.cuMemCreate, size, properties, 0)
    address = call(driver.cuMemAddressReserve, size, 0, driver.CUdeviceptr(0), 0)
    call(driver.cuMemMap, address, size, 0, handle, 0)
    access = driver.CUmemAccessDesc()
    access.location = properties.location
    access.flags = driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    call(driver.cuMemSetAccess, address, size, [access], 1)
    call(driver.cuMemsetD8, address, 7, size)
    call(driver.cuMemUnmap, address, size)
    call(driver.cuMemRelease, handle)
    call(driver.cuMemAddressFree, address, size)


def launch_explicit_graph(memory, stream):
    graph = call(driver.cuGraphCreate, 0)
    fill = driver.CUDA_MEMSET_NODE_PARAMS()
    fill.dst, fill.value, fill.elementSize, fill.width, fill.height = memory, 5, 1, 16, 1
    first = call(driver.cuGraphAddMemsetNode, graph, None, 0, fill, call(driver.cuCtxGetCurrent))
    call(driver.cuGraphAddEmptyNode, graph, [first], 1)
    launch(graph, stream)


def launch_captured_graph(memory, stream):
    call(driver.cuStreamBeginCapture, stream, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL)
    call(driver.cuMemsetD8Async, memory, 6, 16, stream)
    launch(call(driver.cuStreamEndCapture, stream), stream)


def launch(graph, stream):
    executable = call(driver.cuGraphInstantiate, graph, 0)
    call(driver.cuGraphLaunch, executable, stream)
    call(driver.cuStreamSynchronize, stream)
    call(driver.cuGraphExecDestroy, executable)
    call(driver.cuGraphDestroy, graph)


def launch_graphs():
    memory = call(driver.cuMemAlloc, 16)
    stream = call(driver.cuStreamCreate, driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
    for launch_graph, value in ((launch_explicit_graph, 5), (launch_captured_graph, 6)):
        back = bytearray(16)
        launch_graph(memory, stream)
        call(driver.cuMemcpyDtoH, back, memory, 16)
        assert back == bytes([value]) * 16, launch_graph.__name__
    call(driver.cuStreamDestroy, stream)
    call(driver.cuMemFree, memory)


call(driver.cuInit, 0)
query_devices()
call(driver.cuCtxSetCurrent, call(driver.cuDevicePrimaryCtxRetain, 0))
parts = {"copies": copy_in_order, "host_function": run_host_function, "mapping": map_memory, "graphs": launch_graphs}
for name in sys.argv[1:] or parts:
    parts[name]()
call(driver.cuDevicePrimaryCtxRelease, 0)
print("all checks passed with", os.environ.get("LD_LIBRARY_PATH"))
