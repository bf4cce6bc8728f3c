// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "copy/array_place.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr bool is_within(std::size_t offset, std::size_t count, std::size_t size) noexcept {
    return count <= size && offset <= size - count;
}

}  // namespace

CUresult place_in_array(CUarray handle, std::size_t x, std::size_t y, std::size_t z, const BoxExtent& extent, Place& place) {
    const auto array = machine().arrays.find(handle);
    if (array == nullptr || array->storage == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const Shape& shape = array->shape;
    const bool is_inside = is_within(x, extent.width, shape.row) && is_within(y, extent.height, shape.rows) &&
                           is_within(z, extent.depth, shape.slices);
    if (!is_inside) return CUDA_ERROR_INVALID_VALUE;
    place = {};
    place.pitch = shape.row;
    place.slice = shape.row * shape.rows;
    place.address = array->storage->base + z * place.slice + y * place.pitch + x;
    place.storage = array->storage;
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
