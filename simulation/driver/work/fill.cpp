// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/fill.hpp"

#include <algorithm>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

template <class Element>
void fill_rows(std::byte* to, const Stride& stride, const BoxExtent& extent, Element value) {
    for_each_row(stride, stride, extent, [&](std::size_t offset, std::size_t) {
        std::fill_n(reinterpret_cast<Element*>(to + offset), extent.width / sizeof(Element), value);
    });
}

}  // namespace

CUresult FillOperation::make(const CUDA_MEMSET_NODE_PARAMS_v2& parameters, FillOperation& operation) {
    const unsigned size = parameters.elementSize;
    std::size_t width = 0;
    const bool is_size = size == 1 || size == 2 || size == 4;
    if (!is_size || __builtin_mul_overflow(parameters.width, std::size_t{size}, &width)) return CUDA_ERROR_INVALID_VALUE;
    if (parameters.height > 1 && parameters.pitch < width) return CUDA_ERROR_INVALID_VALUE;
    operation = {.to = {.side = Side::device, .address = parameters.dst, .pitch = parameters.pitch},
                 .extent = {width, parameters.height},
                 .value = parameters.value,
                 .size = size,
                 .context = parameters.ctx};
    return CUDA_SUCCESS;
}

CUresult FillOperation::check(const OperationMemory& memory) const {
    if (extent.is_empty()) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = check_alignment(to, extent, size)) return status;
    return check_place(memory, to, extent, true);
}

CUresult FillOperation::plan(Plan& plan) const {
    return make_work(plan.memory, nullptr, plan.steps.emplace_back());
}

CUDA_MEMSET_NODE_PARAMS_v2 FillOperation::parameters() const noexcept {
    return {.dst = to.address,
            .pitch = to.pitch,
            .value = value,
            .elementSize = static_cast<unsigned>(size),
            .width = extent.width / size,
            .height = extent.height,
            .ctx = context};
}

CUresult FillOperation::make_work(const MemoryMap& memory, const Device* device, WorkQueue::Work& work) const {
    Operand target;
    if (const CUresult status = find_place(memory, to, extent, {device, true}, target)) return status;
    work = [target, stride = to.stride(), extent = extent, value = value, size = size] {
        const auto fill = [&] {
            if (size == 1) {
                fill_rows(target.data, stride, extent, static_cast<std::uint8_t>(value));
            } else if (size == 2) {
                fill_rows(target.data, stride, extent, static_cast<std::uint16_t>(value));
            } else {
                fill_rows(target.data, stride, extent, static_cast<std::uint32_t>(value));
            }
        };
        observe_work(ActivityKind::fill, fill, [&](SimulatedActivity& activity) {
            activity.bytes = extent.width * extent.height * extent.depth;
            activity.to = activity_memory(target);
            activity.value = value;
        });
    };
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
