// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>

#include <algorithm>
#include <optional>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

std::size_t alignment_of_rows(const MemoryResource& resource) {
    const Device device = resource.device().value_or(Device());
    return std::max<std::size_t>(static_cast<std::size_t>(device.properties().texture_alignment()), 32);
}

bool is_within(std::size_t offset, std::size_t count, std::size_t size) noexcept {
    return offset <= size && count <= size - offset;
}

}  // namespace

PitchedMemory allocate_pitched(const MemoryResource& resource, StreamRef stream, std::size_t element_size,
                               const Extent3D& extent) {
    const std::size_t alignment = alignment_of_rows(resource);
    std::size_t row = 0;
    std::size_t rows = 0;
    std::size_t size = 0;
    const bool is_too_large = __builtin_mul_overflow(extent.width, element_size, &row) || row > ~std::size_t{0} - alignment ||
                              __builtin_mul_overflow(extent.height, extent.depth, &rows) ||
                              __builtin_mul_overflow(rows, (row + alignment - 1) / alignment * alignment, &size) ||
                              size > ~std::size_t{0} - alignment;
    if (is_too_large) {
        throw_misuse("cannot allocate ", extent.width, " x ", extent.height, " x ", extent.depth, " elements of ", element_size,
                     " bytes each: a size is at most ", ~std::size_t{0}, " bytes");
    }
    // A resource guarantees only default_alignment, which may be less than textures require.
    const std::size_t slack =
        alignment > MemoryResourceBase::default_alignment && size != 0 ? alignment - MemoryResourceBase::default_alignment : 0;
    Buffer bytes = resource.allocate(stream, size + slack);
    const auto offset = static_cast<std::size_t>(-bytes.native_handle() % alignment);
    return {std::move(bytes), size == 0 ? 0 : offset, (row + alignment - 1) / alignment * alignment};
}

void check_part(const Offset3D& offset, const Extent3D& part, const Extent3D& whole) {
    const bool is_inside = is_within(offset.x, part.width, whole.width) && is_within(offset.y, part.height, whole.height) &&
                           is_within(offset.z, part.depth, whole.depth);
    if (is_inside) return;
    throw_misuse("a part of ", part.width, " x ", part.height, " x ", part.depth, " elements at (", offset.x, ", ", offset.y,
                 ", ", offset.z, ") is not within ", whole.width, " x ", whole.height, " x ", whole.depth, " elements");
}

}  // namespace CUBIND_NAMESPACE::detail
