// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for libcuda with a few functions that return fixed results. It has no cuMemFree_v2.
#include <cubind/driver/types.hpp>

#include <cstdio>
#include <cstring>

using namespace cubind::driver;

extern "C" {

CUresult cuInit(unsigned int flags) {
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int* version) {
    *version = 12040;
    return CUDA_SUCCESS;
}

// Writes the output on failure, too.
CUresult cuMemAlloc_v2(CUdeviceptr* pointer, std::size_t size) {
    *pointer = 0x7000 + size;
    return size < 1000 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

// Writes no output on failure.
CUresult cuDeviceGetCount(int*) {
    return CUDA_ERROR_NO_DEVICE;
}

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    *free = 11;
    *total = 22;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
    std::snprintf(name, static_cast<std::size_t>(length), "Stand-in %d", device);
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
    *text = error == CUDA_ERROR_NO_DEVICE ? "stand-in text" : nullptr;
    return CUDA_SUCCESS;
}

// The iterator and the size are both inputs and outputs.
CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, std::size_t* size, unsigned int) {
    static const char text[] = "two lines\nof log";
    if (*size < sizeof text) {
        *size = sizeof text;
        return CUDA_ERROR_INVALID_VALUE;
    }
    std::memcpy(buffer, text, sizeof text);
    *size = sizeof text;
    *iterator += 2;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v3(CUstream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** dependencies, const CUgraphEdgeData** edges, std::size_t* count) {
    *status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    *id = 42;
    *graph = nullptr;
    *dependencies = nullptr;
    *edges = nullptr;
    *count = 3;
    return CUDA_SUCCESS;
}

// Returns the flags as the function pointer, so that the tests can check them.
CUresult cuGetProcAddress_v2(const char*, void** function, int, cuuint64_t flags, CUdriverProcAddressQueryResult* result) {
    *function = reinterpret_cast<void*>(flags);
    *result = CU_GET_PROC_ADDRESS_SUCCESS;
    return CUDA_SUCCESS;
}

}  // extern "C"
