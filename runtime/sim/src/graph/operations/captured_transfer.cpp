// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "copy/transfer.hpp"
#include "graph/operations/transfer.hpp"
#include "machine/machine.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// The source or the destination of a copy, in the terms of the API's structs.
struct Endpoint {
    CUmemorytype type = CU_MEMORYTYPE_UNIFIED;
    void* host = nullptr;
    CUdeviceptr device = 0;
    CUarray array = nullptr;
    std::size_t x = 0, y = 0, z = 0;
    std::size_t pitch = 0;
    std::size_t rows = 0;  ///< rows of a slice
};

Endpoint end_in_array(const Place& place) {
    const auto array = machine().arrays.find_if([&](const Array& each) { return each.storage == place.storage; });
    if (array == nullptr) return {};
    const std::size_t offset = place.address - place.storage->base;
    return {.type = CU_MEMORYTYPE_ARRAY,
            .array = array->handle,
            .x = offset % place.slice % place.pitch,
            .y = offset % place.slice / place.pitch,
            .z = offset / place.slice};
}

Endpoint end_of(const Place& place, const BoxExtent& extent) {
    if (place.storage != nullptr) return end_in_array(place);
    Endpoint end;
    end.pitch = place.pitch != 0 ? place.pitch : extent.width;
    end.rows = place.slice != 0 ? place.slice / end.pitch : extent.height;
    if (place.side == Side::host) {
        end.type = CU_MEMORYTYPE_HOST;
        end.host = reinterpret_cast<void*>(place.address);
        return end;
    }
    end.type = place.side == Side::device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_UNIFIED;
    end.device = place.address;
    return end;
}

}  // namespace

CopyOperation copy_operation(const Place& to, const Place& from, const BoxExtent& extent) {
    const Endpoint target = end_of(to, extent);
    const Endpoint source = end_of(from, extent);
    return {{.srcXInBytes = source.x,
             .srcY = source.y,
             .srcZ = source.z,
             .srcLOD = 0,
             .srcMemoryType = source.type,
             .srcHost = source.host,
             .srcDevice = source.device,
             .srcArray = source.array,
             .reserved0 = nullptr,
             .srcPitch = source.pitch,
             .srcHeight = source.rows,
             .dstXInBytes = target.x,
             .dstY = target.y,
             .dstZ = target.z,
             .dstLOD = 0,
             .dstMemoryType = target.type,
             .dstHost = target.host,
             .dstDevice = target.device,
             .dstArray = target.array,
             .reserved1 = nullptr,
             .dstPitch = target.pitch,
             .dstHeight = target.rows,
             .WidthInBytes = extent.width,
             .Height = extent.height,
             .Depth = extent.depth},
            nullptr};
}

FillOperation fill_operation(const Place& to, const BoxExtent& extent, unsigned value, std::size_t size) {
    return {{.dst = to.address,
             .pitch = to.pitch,
             .value = value,
             .elementSize = static_cast<unsigned>(size),
             .width = extent.width / size,
             .height = extent.height,
             .ctx = nullptr}};
}

}  // namespace CUBIND_NAMESPACE::sim
