// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "copy/box.hpp"

#include "copy/array_place.hpp"
#include "objects/memory/address_space.hpp"

namespace CUBIND_NAMESPACE::sim {

CUresult place_of(const Endpoint& end, const BoxExtent& extent, Place& place) {
    switch (end.type) {
        case CU_MEMORYTYPE_HOST:
            place = {.side = Side::host, .address = reinterpret_cast<std::uintptr_t>(end.host)};
            break;
        case CU_MEMORYTYPE_DEVICE:
            place = {.side = Side::device, .address = end.device};
            break;
        case CU_MEMORYTYPE_UNIFIED:
            place = {.side = Side::any, .address = end.device};
            break;
        case CU_MEMORYTYPE_ARRAY:
            if (end.level != 0) return CUDA_ERROR_INVALID_VALUE;
            return place_in_array(end.array, end.x, end.y, end.z, extent, place);
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
    // Memory of the driver is checked, even if the caller calls it host memory: an offset must not lead out of it.
    if (AddressSpace::instance().contains(place.address)) place.side = Side::device;
    std::size_t row = 0;
    std::size_t rows = 0;
    if (__builtin_add_overflow(end.x, extent.width, &row) || __builtin_add_overflow(end.y, extent.height, &rows)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    // A pitch of 0 means contiguous rows.
    place.pitch = end.pitch != 0 ? end.pitch : row;
    if (place.pitch < row || (extent.depth > 1 && end.rows != 0 && end.rows < rows)) return CUDA_ERROR_INVALID_VALUE;
    if (__builtin_mul_overflow(place.pitch, end.rows != 0 ? end.rows : rows, &place.slice)) return CUDA_ERROR_INVALID_VALUE;
    // If the offset leaves the allocation or the address space, the lookup of the memory fails.
    std::size_t lines = 0;
    std::size_t slices = 0;
    std::size_t offset = 0;
    const bool is_too_far = __builtin_mul_overflow(end.y, place.pitch, &lines) ||
                            __builtin_mul_overflow(end.z, place.slice, &slices) ||
                            __builtin_add_overflow(lines, slices, &offset) || __builtin_add_overflow(offset, end.x, &offset) ||
                            __builtin_add_overflow(place.address, offset, &place.address);
    return is_too_far || place.address == offset ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult places_of(const CUDA_MEMCPY3D& copy, Place& to, Place& from) {
    const BoxExtent extent{copy.WidthInBytes, copy.Height, copy.Depth};
    if (const CUresult status = place_of(target_of(copy), extent, to)) return status;
    return place_of(source_of(copy), extent, from);
}

}  // namespace CUBIND_NAMESPACE::sim
