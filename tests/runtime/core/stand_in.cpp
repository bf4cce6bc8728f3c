// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A driver library with three functions.
#include <cubind/driver/types.hpp>

#include <cstddef>

extern "C" cubind::driver::CUresult cuMemAlloc_v2(cubind::driver::CUdeviceptr* pointer, std::size_t size) {
    *pointer = size;
    return size < 1000 ? cubind::driver::CUDA_SUCCESS : cubind::driver::CUDA_ERROR_OUT_OF_MEMORY;
}

// Fails with the status that a driver returns in a child of fork() whose parent has initialized it.
extern "C" cubind::driver::CUresult cuInit(unsigned int) {
    return cubind::driver::CUDA_ERROR_NOT_INITIALIZED;
}

// Fails as if an earlier kernel, or this one, had failed.
extern "C" cubind::driver::CUresult cuLaunchKernel() {
    return cubind::driver::CUDA_ERROR_ILLEGAL_ADDRESS;
}
