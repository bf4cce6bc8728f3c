// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/copy.hpp"

#include <cstring>
#include <vector>

#include "work/box.hpp"
#include "work/tiled_copy.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

void copy_rows(const Operand& to, const Stride& to_stride, const Operand& from, const Stride& from_stride,
               const BoxExtent& extent) {
    if (to.tiled != nullptr || from.tiled != nullptr) return copy_tiled_rows(to, to_stride, from, from_stride, extent);
    for_each_row(to_stride, from_stride, extent, [&](std::size_t to_offset, std::size_t from_offset) {
        std::memmove(to.data + to_offset, from.data + from_offset, extent.width);
    });
}

// Returns the memory type of an end, which an update of an executable graph must not change.
CUmemorytype kind_of(const MemoryMap& memory, CUmemorytype declared_type, CUdeviceptr address) {
    if (declared_type != CU_MEMORYTYPE_UNIFIED) return declared_type;
    const auto found = memory.find(address);
    return found != nullptr && found->kind == MemoryKind::device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
}

// Performs a copy. `source` is the memory of the caller, also if `from` is a copy of it.
void copy_observed(const Operand& to, const Stride& to_stride, const Operand& from, const Stride& from_stride,
                   const BoxExtent& extent, ActivityMemory source) {
    observe_work(
        ActivityKind::copy, [&] { copy_rows(to, to_stride, from, from_stride, extent); },
        [&](SimulatedActivity& activity) {
            activity.bytes = extent.width * extent.height * extent.depth;
            activity.from = source;
            activity.to = activity_memory(to);
        });
}

int dimensions(const BoxExtent& extent) noexcept {
    return extent.depth > 1 ? 3 : extent.height > 1 ? 2 : 1;
}

}  // namespace

CUresult CopyOperation::make(const CUDA_MEMCPY_NODE_PARAMS& parameters, const Registry<CUarray, Array>& arrays,
                             CopyOperation& operation) {
    const CUDA_MEMCPY3D& copy = parameters.copyParams;
    operation.extent = {copy.WidthInBytes, copy.Height, copy.Depth};
    if (operation.extent.is_empty()) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = place_of(arrays, target_of(copy), operation.extent, operation.to)) return status;
    if (const CUresult status = place_of(arrays, source_of(copy), operation.extent, operation.from)) return status;
    operation.requested = std::make_shared<const CUDA_MEMCPY_NODE_PARAMS>(parameters);
    return CUDA_SUCCESS;
}

CUresult CopyOperation::check(const OperationMemory& memory) const {
    if (const CUresult status = check_place(memory, to, extent, true)) return status;
    return check_place(memory, from, extent, false);
}

CUresult CopyOperation::plan(Plan& plan) const {
    Operand target;
    Operand source;
    if (const CUresult status = find(plan.memory, nullptr, target, source)) return status;
    plan.steps.push_back(work(target, source));
    return CUDA_SUCCESS;
}

bool CopyOperation::can_update_to(const CopyOperation& next, const OperationMemory& memory) const {
    const CUDA_MEMCPY3D own = parameters().copyParams;
    const CUDA_MEMCPY3D other = next.parameters().copyParams;
    const auto source_kind = [&](const CUDA_MEMCPY3D& copy) { return kind_of(memory.map, copy.srcMemoryType, copy.srcDevice); };
    const auto target_kind = [&](const CUDA_MEMCPY3D& copy) { return kind_of(memory.map, copy.dstMemoryType, copy.dstDevice); };
    return source_kind(own) == source_kind(other) && target_kind(own) == target_kind(other) &&
           dimensions(extent) == dimensions(next.extent);
}

CUDA_MEMCPY_NODE_PARAMS CopyOperation::parameters() const {
    if (requested != nullptr) return *requested;
    return {
        .flags = 0, .reserved = 0, .copyCtx = nullptr, .copyParams = box_copy(end_of(to, extent), end_of(from, extent), extent)};
}

CUresult CopyOperation::find(const MemoryMap& memory, const Device* device, Operand& target, Operand& source) const {
    if (const CUresult status = find_place(memory, to, extent, {device, true}, target)) return status;
    return find_place(memory, from, extent, {device, false}, source);
}

void CopyOperation::run(const Operand& target, const Operand& source) const {
    copy_observed(target, to.stride(), source, from.stride(), extent, activity_memory(source));
}

WorkQueue::Work CopyOperation::work(const Operand& target, const Operand& source) const {
    return [target, source, to = to.stride(), from = from.stride(), extent = extent] {
        copy_observed(target, to, source, from, extent, activity_memory(source));
    };
}

WorkQueue::Work CopyOperation::staged_work(const Operand& target, const Operand& source) const {
    std::size_t bytes = 0;
    from.span(extent, bytes);
    std::vector<std::byte> staging(bytes);
    copy_rows({.data = staging.data()}, from.stride(), source, from.stride(), extent);
    return
        [target, to = to.stride(), from = from.stride(), extent = extent, memory = activity_memory(source),
         staging = std::move(staging)]() mutable { copy_observed(target, to, {.data = staging.data()}, from, extent, memory); };
}

}  // namespace CUBIND_NAMESPACE::sim
