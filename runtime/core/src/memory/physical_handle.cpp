// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/physical_handle.hpp"

#include <cubind/core/stream/stream.hpp>

#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE::detail {

PhysicalHandle create_physical_memory(const driver::CUmemAllocationProp& properties, std::size_t size,
                                      std::optional<Device> device, const std::string& purpose) {
    const auto created = driver::cuMemCreate(size, &properties, 0);
    if (!created.ok()) throw_not_allocated({created.status, 0}, size, StreamRef::legacy_default(), device, purpose);
    return PhysicalHandle(created.value);
}

}  // namespace CUBIND_NAMESPACE::detail
