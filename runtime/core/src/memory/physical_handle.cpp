// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/physical_handle.hpp"

#include <cubind/core/stream/stream.hpp>

#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE::detail {

PhysicalHandle create_physical_memory(const driver::CUmemAllocationProp& properties, std::size_t size,
                                      std::optional<Device> device, const std::string& purpose) {
    const auto created = driver::cuMemCreate(size, &properties, 0);
    const bool is_refusal =
        created.status == driver::CUDA_ERROR_INVALID_VALUE || created.status == driver::CUDA_ERROR_NOT_SUPPORTED;
    if (is_refusal && properties.type == driver::CU_MEM_ALLOCATION_TYPE_MANAGED) {
        throw_with_advice({created.status},
                          "this driver has no managed virtual memory; ManagedMemoryResource has managed memory");
    }
    if (!created.ok()) throw_not_allocated({created.status, 0}, size, StreamRef::legacy_default(), device, purpose);
    return PhysicalHandle(created.value);
}

}  // namespace CUBIND_NAMESPACE::detail
