// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/kernel/arguments.hpp"

#include <cubind/driver/constants.hpp>

#include <cstring>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

/// The argument buffer that a list of launch options describes.
struct Buffer {
    const void* data = nullptr;
    const std::size_t* size = nullptr;

    /// Returns false for an unknown option.
    bool read(void** extra) {
        for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
            if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
                data = extra[1];
            } else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) {
                size = static_cast<const std::size_t*>(extra[1]);
            } else {
                return false;
            }
        }
        return true;
    }
};

CUresult copy_buffer(const ptx::Kernel& kernel, void** extra, std::vector<std::byte>& bytes) {
    Buffer buffer;
    if (!buffer.read(extra)) return CUDA_ERROR_INVALID_VALUE;
    const bool has_buffer = buffer.data != nullptr && buffer.size != nullptr && *buffer.size != 0;
    if (!has_buffer) return kernel.parameters.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (*buffer.size > ptx::max_parameter_bytes) return CUDA_ERROR_INVALID_VALUE;
    if (*buffer.size > kernel.parameter_bytes) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    std::memcpy(bytes.data(), buffer.data, *buffer.size);
    return CUDA_SUCCESS;
}

}  // namespace

CUresult copy_arguments(const ptx::Kernel& kernel, void** parameters, void** extra, std::vector<std::byte>& bytes) {
    bytes.assign(kernel.parameter_bytes, std::byte{0});
    if (parameters != nullptr && extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (extra != nullptr) return copy_buffer(kernel, extra, bytes);
    if (parameters == nullptr) return kernel.parameters.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        if (parameters[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
        std::memcpy(bytes.data() + kernel.parameters[i].offset, parameters[i], kernel.parameters[i].size);
    }
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
