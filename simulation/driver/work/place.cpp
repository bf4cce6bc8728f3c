// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/place.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

constexpr bool is_within(std::size_t offset, std::size_t count, std::size_t size) noexcept {
    return count <= size && offset <= size - count;
}

}  // namespace

bool Place::span(const BoxExtent& extent, std::size_t& bytes) const noexcept {
    std::size_t rows = 0;
    std::size_t slices = 0;
    return !__builtin_mul_overflow(extent.height - 1, pitch, &rows) &&
           !__builtin_mul_overflow(extent.depth - 1, slice, &slices) && !__builtin_add_overflow(rows, slices, &bytes) &&
           !__builtin_add_overflow(bytes, extent.width, &bytes);
}

CUresult place_in_array(const std::shared_ptr<Array>& array, std::size_t x, std::size_t y, std::size_t z, const BoxExtent& extent,
                        Place& place) {
    if (array == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const Shape& shape = array->shape;
    const bool is_inside = is_within(x, extent.width, shape.row) && is_within(y, extent.height, shape.rows) &&
                           is_within(z, extent.depth, shape.slices);
    if (!is_inside) return CUDA_ERROR_INVALID_VALUE;
    place = {};
    place.pitch = shape.row;
    place.slice = shape.row * shape.rows;
    place.address = z * place.slice + y * place.pitch + x;
    place.array = array->handle;
    place.owner = array;
    return CUDA_SUCCESS;
}

CUresult find_place(const MemoryMap& memory, const Place& place, const BoxExtent& extent, const Access& access,
                    Operand& operand) {
    if (place.array != nullptr) {
        const auto array = place.owner.lock();
        if (array == nullptr) return CUDA_ERROR_INVALID_VALUE;
        if (array->storage == nullptr) {
            operand = {.tiled = array, .position = place.address};
        } else {
            operand = {reinterpret_cast<std::byte*>(array->storage->base + place.address), array->storage};
        }
        return CUDA_SUCCESS;
    }
    std::size_t bytes = 0;
    if (!place.span(extent, bytes)) return CUDA_ERROR_INVALID_VALUE;
    return find_operand(memory, place.side, place.address, bytes, access, operand);
}

CUresult check_alignment(const Place& to, const BoxExtent& extent, std::size_t size) {
    return to.address % size == 0 && (extent.height <= 1 || to.pitch % size == 0) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace CUBIND_NAMESPACE::sim
