// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/operations/transfer.hpp"

#include "copy/box.hpp"
#include "copy/transfer.hpp"
#include "machine/machine.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Checks one end of a copy. Memory that an allocation node will allocate is valid, too.
CUresult check_place(const Place& place, const BoxExtent& extent, bool writes) {
    std::size_t bytes = 0;
    if (place.span(extent, bytes) && machine().graph_store.is_graph_memory(place.address, bytes)) return CUDA_SUCCESS;
    Operand operand;
    return find_place(place, extent, {nullptr, writes}, operand);
}

// Returns the memory type of an end, which an update of an executable graph must not change.
CUmemorytype kind_of(CUmemorytype declared_type, CUdeviceptr address) {
    if (declared_type != CU_MEMORYTYPE_UNIFIED) return declared_type;
    const auto found = machine().memory.find(address);
    return found != nullptr && found->kind == MemoryKind::device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
}

int dimensions(const CUDA_MEMCPY3D& copy) noexcept {
    return copy.Depth > 1 ? 3 : copy.Height > 1 ? 2 : 1;
}

CUresult places_of(const CUDA_MEMSET_NODE_PARAMS_v2& fill, Place& place, BoxExtent& extent) {
    const bool is_size = fill.elementSize == 1 || fill.elementSize == 2 || fill.elementSize == 4;
    if (!is_size || __builtin_mul_overflow(fill.width, std::size_t{fill.elementSize}, &extent.width))
        return CUDA_ERROR_INVALID_VALUE;
    if (fill.height > 1 && fill.pitch < extent.width) return CUDA_ERROR_INVALID_VALUE;
    extent.height = fill.height;
    place = {.side = Side::device, .address = fill.dst, .pitch = fill.pitch};
    return CUDA_SUCCESS;
}

}  // namespace

CUresult CopyOperation::check() const {
    Place to;
    Place from;
    const BoxExtent extent{copy.WidthInBytes, copy.Height, copy.Depth};
    if (extent.is_empty()) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = places_of(copy, to, from)) return status;
    if (const CUresult status = check_place(to, extent, true)) return status;
    return check_place(from, extent, false);
}

CUresult CopyOperation::plan(Plan& plan) const {
    Place to;
    Place from;
    if (const CUresult status = places_of(copy, to, from)) return status;
    return make_copy(to, from, {copy.WidthInBytes, copy.Height, copy.Depth}, plan.steps.emplace_back());
}

bool CopyOperation::can_update_to(const CopyOperation& next) const {
    return kind_of(copy.srcMemoryType, copy.srcDevice) == kind_of(next.copy.srcMemoryType, next.copy.srcDevice) &&
           kind_of(copy.dstMemoryType, copy.dstDevice) == kind_of(next.copy.dstMemoryType, next.copy.dstDevice) &&
           dimensions(copy) == dimensions(next.copy);
}

CUresult FillOperation::check() const {
    Place place;
    BoxExtent extent;
    if (const CUresult status = places_of(fill, place, extent)) return status;
    if (extent.is_empty()) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = check_alignment(place, extent, fill.elementSize)) return status;
    return check_place(place, extent, true);
}

CUresult FillOperation::plan(Plan& plan) const {
    Place place;
    BoxExtent extent;
    if (const CUresult status = places_of(fill, place, extent)) return status;
    return make_fill(place, extent, fill.value, fill.elementSize, nullptr, plan.steps.emplace_back());
}

bool FillOperation::can_update_to(const FillOperation& next) const noexcept {
    return (fill.height > 1) == (next.fill.height > 1);
}

}  // namespace CUBIND_NAMESPACE::sim
