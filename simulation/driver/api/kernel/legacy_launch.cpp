// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/legacy_launch.hpp"

#include <cubind/driver/constants.hpp>

#include <cstring>
#include <simulation/functions.hpp>

#include "machine/function_check.hpp"
#include "ptx/text/module_interface.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// The launch itself checks the arguments against the kernel's parameters.
constexpr std::size_t max_argument_bytes = ptx::max_parameter_bytes;

CUresult set_argument(CUfunction handle, int offset, const void* value, std::size_t size) {
    const Valid<FunctionCheck> function(handle);
    if (value == nullptr || offset < 0 || size > max_argument_bytes) return CUDA_ERROR_INVALID_VALUE;
    const std::size_t end = static_cast<std::size_t>(offset) + size;
    if (end > max_argument_bytes) return CUDA_ERROR_INVALID_VALUE;
    LegacyLaunch& launch = function->legacy_launch;
    const std::lock_guard lock(launch.mutex);
    if (launch.arguments.size() < end) launch.arguments.resize(end);
    if (size != 0) std::memcpy(launch.arguments.data() + offset, value, size);
    return CUDA_SUCCESS;
}

CUresult launch_grid(CUfunction handle, int width, int height, CUstream stream) {
    const Valid<FunctionCheck> function(handle);
    if (width <= 0 || height <= 0) return CUDA_ERROR_INVALID_VALUE;
    LegacyLaunch& launch = function->legacy_launch;
    const std::lock_guard lock(launch.mutex);
    std::size_t size = launch.arguments.size();
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, launch.arguments.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    return sim_cuLaunchKernel(handle, static_cast<unsigned>(width), static_cast<unsigned>(height), 1, launch.block.x,
                              launch.block.y, launch.block.z, launch.shared_bytes, stream, nullptr, extra);
}

}  // namespace

extern "C" {

CUresult sim_cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z) {
    const Valid<FunctionCheck> function(hfunc);
    const auto limit = static_cast<std::size_t>(function->view().get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
    if (x <= 0 || y <= 0 || z <= 0) return CUDA_ERROR_INVALID_VALUE;
    const Extent3 block{static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
    if (block.x > limit || block.y > limit || block.z > limit || std::size_t{block.x} * block.y * block.z > limit) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const std::lock_guard lock(function->legacy_launch.mutex);
    function->legacy_launch.block = block;
    return CUDA_SUCCESS;
}

CUresult sim_cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes) {
    const Valid<FunctionCheck> function(hfunc);
    const int limit = function->view().get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    if (bytes > static_cast<unsigned>(limit)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(function->legacy_launch.mutex);
    function->legacy_launch.shared_bytes = bytes;
    return CUDA_SUCCESS;
}

CUresult sim_cuParamSetSize(CUfunction hfunc, unsigned int numbytes) {
    const Valid<FunctionCheck> function(hfunc);
    if (numbytes > max_argument_bytes) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(function->legacy_launch.mutex);
    function->legacy_launch.arguments.resize(numbytes);
    return CUDA_SUCCESS;
}

CUresult sim_cuParamSeti(CUfunction hfunc, int offset, unsigned int value) {
    return set_argument(hfunc, offset, &value, sizeof value);
}

CUresult sim_cuParamSetf(CUfunction hfunc, int offset, float value) {
    return set_argument(hfunc, offset, &value, sizeof value);
}

CUresult sim_cuParamSetv(CUfunction hfunc, int offset, void* ptr, unsigned int numbytes) {
    return set_argument(hfunc, offset, ptr, numbytes);
}

CUresult sim_cuLaunch(CUfunction f) {
    return launch_grid(f, 1, 1, nullptr);
}

CUresult sim_cuLaunchGrid(CUfunction f, int grid_width, int grid_height) {
    return launch_grid(f, grid_width, grid_height, nullptr);
}

CUresult sim_cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream) {
    return launch_grid(f, grid_width, grid_height, hStream);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
