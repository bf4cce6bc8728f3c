// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Writes the handles of at most `capacity` objects.
template <class Handle, class Objects>
driver::CUresult write_handles(Handle* out, unsigned capacity, const Objects& objects) {
    if (capacity == 0) return driver::CUDA_SUCCESS;
    if (out == nullptr) return driver::CUDA_ERROR_INVALID_VALUE;
    const std::size_t count = std::min<std::size_t>(capacity, objects.size());
    for (std::size_t i = 0; i < count; ++i) out[i] = objects[i]->handle;
    return driver::CUDA_SUCCESS;
}

/// Finds a variable of a module. Either `address` or `bytes` may be null.
inline driver::CUresult write_variable(driver::CUdeviceptr* address, std::size_t* bytes, const Module& module, const char* name,
                                       bool must_be_managed = false) {
    if (name == nullptr || (address == nullptr && bytes == nullptr)) return driver::CUDA_ERROR_INVALID_VALUE;
    const ptx::Variable* variable = nullptr;
    const Allocation* const memory = module.find_variable(name, variable);
    if (memory == nullptr || (must_be_managed && !variable->is_managed)) return driver::CUDA_ERROR_NOT_FOUND;
    if (address != nullptr) *address = memory->base;
    if (bytes != nullptr) *bytes = memory->size;
    return driver::CUDA_SUCCESS;
}

/// Writes the offset and the size of a parameter. `size` may be null.
inline driver::CUresult write_parameter(const ptx::Kernel& kernel, std::size_t index, std::size_t* offset, std::size_t* size) {
    if (offset == nullptr || index >= kernel.parameters.size()) return driver::CUDA_ERROR_INVALID_VALUE;
    *offset = kernel.parameters[index].offset;
    if (size != nullptr) *size = kernel.parameters[index].size;
    return driver::CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
