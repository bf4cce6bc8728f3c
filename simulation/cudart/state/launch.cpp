// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/launch.hpp"

#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

unsigned int limit(CUdevice_attribute attribute, CUdevice device) noexcept {
    int value = 0;
    return cuDeviceGetAttribute(&value, attribute, device) == CUDA_SUCCESS ? static_cast<unsigned int>(value) : 0;
}

// Whether the shape alone is the reason that a device refuses a launch.
bool is_shape_invalid(const dim3& grid, const dim3& block) noexcept {
    CUdevice device = 0;
    if (cuCtxGetDevice(&device) != CUDA_SUCCESS) return false;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0) return true;
    const unsigned long long threads = 1ULL * block.x * block.y * block.z;
    return grid.x > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, device) ||
           grid.y > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, device) ||
           grid.z > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, device) ||
           block.x > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, device) ||
           block.y > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, device) ||
           block.z > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, device) ||
           threads > limit(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device);
}

static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
static_assert(offsetof(CUlaunchAttribute, value) == offsetof(cudaLaunchAttribute, val));

}  // namespace

CUlaunchConfig to_driver(const cudaLaunchConfig_t& configuration) noexcept {
    CUlaunchConfig converted = {};
    converted.gridDimX = configuration.gridDim.x;
    converted.gridDimY = configuration.gridDim.y;
    converted.gridDimZ = configuration.gridDim.z;
    converted.blockDimX = configuration.blockDim.x;
    converted.blockDimY = configuration.blockDim.y;
    converted.blockDimZ = configuration.blockDim.z;
    converted.sharedMemBytes = static_cast<unsigned int>(configuration.dynamicSmemBytes);
    converted.hStream = driver_stream(configuration.stream);
    converted.attrs = as<CUlaunchAttribute*>(configuration.attrs);
    converted.numAttrs = configuration.numAttrs;
    return converted;
}

cudaError_t launch_status(CUresult status, const Launchable& function, const dim3& grid, const dim3& block) {
    if (status != CUDA_ERROR_INVALID_VALUE || !function.is_registered) [[likely]] {
        return status_of(status);
    }
    return is_shape_invalid(grid, block) ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;
}

cudaError_t launch(const Launchable& function, const LaunchShape& shape, void** arguments, bool is_cooperative) {
    const auto& [grid, block, shared, stream] = shape;
    const auto bytes = static_cast<unsigned int>(shared);
    if (shared != bytes) return cudaErrorInvalidValue;
    const CUresult status = is_cooperative ? cuLaunchCooperativeKernel(function.handle, grid.x, grid.y, grid.z, block.x, block.y,
                                                                       block.z, bytes, driver_stream(stream), arguments)
                                           : cuLaunchKernel(function.handle, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                            bytes, driver_stream(stream), arguments, nullptr);
    return launch_status(status, function, grid, block);
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
