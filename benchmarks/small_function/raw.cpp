// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// The same function as in layer.cpp, written against the vendor's header.

#include <cuda.h>

#include <cstddef>

CUresult small_function(CUstream stream, CUkernel scale, float factor, float* values, std::size_t count) {
    const std::size_t size = count * sizeof(float);
    CUdeviceptr data = 0;
    CUresult status = cuMemAllocAsync(&data, size, stream);
    if (status != CUDA_SUCCESS) return status;
    status = cuMemcpyHtoDAsync(data, values, size, stream);
    if (status == CUDA_SUCCESS) {
        const CUlaunchConfig config{static_cast<unsigned int>((count + 255) / 256), 1, 1, 256, 1, 1, 0, stream, nullptr, 0};
        void* arguments[] = {&factor, &data, &count};
        status = cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(scale), arguments, nullptr);
    }
    if (status == CUDA_SUCCESS) status = cuMemcpyDtoHAsync(values, data, size, stream);
    if (status == CUDA_SUCCESS) status = cuStreamSynchronize(stream);
    const CUresult freed = cuMemFreeAsync(data, stream);
    return status == CUDA_SUCCESS ? freed : status;
}
