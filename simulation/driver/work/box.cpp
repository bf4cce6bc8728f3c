// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/box.hpp"

#include "objects/memory/address_space.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

CUresult place_of(const Registry<CUarray, Array>& arrays, const Endpoint& end, const BoxExtent& extent, Place& place) {
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
            return place_in_array(arrays.find(end.array), end.x, end.y, end.z, extent, place);
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
    // Memory of the driver is checked, even if the caller declares it as host memory: an offset must not lead out of it.
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

Endpoint end_of(const Place& place, const BoxExtent& extent) {
    Endpoint end;
    if (place.array != nullptr) {
        end.type = CU_MEMORYTYPE_ARRAY;
        end.array = place.array;
        end.x = place.address % place.slice % place.pitch;
        end.y = place.address % place.slice / place.pitch;
        end.z = place.address / place.slice;
        return end;
    }
    end.pitch = place.pitch != 0 ? place.pitch : extent.width;
    end.rows = place.slice != 0 ? place.slice / end.pitch : extent.height;
    if (place.side == Side::host) {
        end.type = CU_MEMORYTYPE_HOST;
        end.host = reinterpret_cast<const void*>(place.address);
        return end;
    }
    end.type = place.side == Side::device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_UNIFIED;
    end.device = place.address;
    return end;
}

CUDA_MEMCPY3D box_copy(const Endpoint& to, const Endpoint& from, const BoxExtent& extent) {
    return {.srcXInBytes = from.x,
            .srcY = from.y,
            .srcZ = from.z,
            .srcLOD = from.level,
            .srcMemoryType = from.type,
            .srcHost = from.host,
            .srcDevice = from.device,
            .srcArray = from.array,
            .reserved0 = nullptr,
            .srcPitch = from.pitch,
            .srcHeight = from.rows,
            .dstXInBytes = to.x,
            .dstY = to.y,
            .dstZ = to.z,
            .dstLOD = to.level,
            .dstMemoryType = to.type,
            .dstHost = const_cast<void*>(to.host),
            .dstDevice = to.device,
            .dstArray = to.array,
            .reserved1 = nullptr,
            .dstPitch = to.pitch,
            .dstHeight = to.rows,
            .WidthInBytes = extent.width,
            .Height = extent.height,
            .Depth = extent.depth};
}

}  // namespace CUBIND_NAMESPACE::sim
