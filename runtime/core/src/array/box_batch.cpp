// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "array/box_batch.hpp"

#include <cubind/driver/memory.hpp>

#include <algorithm>

#include "calls/driver.hpp"
#include "memory/copy_attributes.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// The bytes of a unit in which a batch counts widths.
std::size_t width_unit_of(const BoxPlan& plan) noexcept {
    return plan.to.array != nullptr || plan.from.array != nullptr ? plan.unit.bytes : 1;
}

driver::CUmemcpy3DOperand operand_of(const BoxEnd& end, const BoxPlan& plan, const driver::CUmemLocation& hint) noexcept {
    const std::size_t unit = width_unit_of(plan);
    driver::CUmemcpy3DOperand operand{};
    if (end.array != nullptr) {
        operand.type = driver::CU_MEMCPY_OPERAND_TYPE_ARRAY;
        operand.op.array = {end.array, {end.x / unit, end.y, end.z}};
    } else {
        operand.type = driver::CU_MEMCPY_OPERAND_TYPE_POINTER;
        operand.op.ptr = {end.address, end.pitch / unit, std::max(end.rows_per_slice, plan.height), hint};
    }
    return operand;
}

}  // namespace

bool BoxBatch::accepts(const BoxPlan& plan) noexcept {
    const std::size_t unit = width_unit_of(plan);
    return plan.unit.side == 1 && plan.to.pitch % unit == 0 && plan.from.pitch % unit == 0;
}

void BoxBatch::add(const BoxPlan& plan, const CopyOptions& options) {
    const driver::CUmemcpyAttributes attributes = attributes_of(options);
    driver::CUDA_MEMCPY3D_BATCH_OP operation{};
    operation.src = operand_of(plan.from, plan, attributes.srcLocHint);
    operation.dst = operand_of(plan.to, plan, attributes.dstLocHint);
    operation.extent = {plan.width / width_unit_of(plan), plan.height, plan.depth};
    operation.srcAccessOrder = attributes.srcAccessOrder;
    operation.flags = attributes.flags;
    operations_.push_back(operation);
}

Result<driver::CUresult> BoxBatch::submit(StreamRef stream) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    const auto submitted = driver::cuMemcpy3DBatchAsync(operations_.size(), operations_.data(), 0, handle);
    if (!is_missing(submitted)) return submitted;
    return {driver::cuMemcpy3DBatchAsync_v1(operations_.size(), operations_.data(), 0, handle).status};  // CUDA 12.8 and 12.9
}

}  // namespace CUBIND_NAMESPACE::detail
