// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/copy_node.hpp"

#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/graph.hpp>

#include "array/array_state.hpp"
#include "array/box_call.hpp"
#include "calls/driver.hpp"
#include "graph/definition_state.hpp"
#include "memory/operand_checks.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE {

namespace detail {
namespace {

[[noreturn]] void throw_empty(const char* kind) {
    throw_misuse("a ", kind, " node needs at least 1 byte, but there are 0: add an empty() node instead");
}

// The driver does not know the addresses of pageable host memory, so the kind of memory must be stated.
driver::CUmemorytype kind_of(driver::CUdeviceptr address) {
    switch (PointerAttributes::of(address).kind) {
        case MemoryType::device:
            return driver::CU_MEMORYTYPE_DEVICE;
        case MemoryType::managed:
            return driver::CU_MEMORYTYPE_UNIFIED;
        default:
            return driver::CU_MEMORYTYPE_HOST;
    }
}

template <class Describe>
[[noreturn]] void throw_with_description(Result<driver::CUresult> failed, const std::string& advice, const Describe& describe) {
    std::string text;
    if (failed.status == driver::CUDA_ERROR_INVALID_VALUE) text = describe();
    if (!text.empty() && !advice.empty()) text.append(". ");
    throw_with_advice(failed, text.append(advice));
}

NodeRecord record_of_buffers(std::initializer_list<const Buffer*> buffers) {
    NodeObjects objects;
    for (const Buffer* const buffer : buffers) {
        if (buffer != nullptr) objects.retain(share(*buffer));
    }
    return {objects.take()};
}

}  // namespace

// ---- copies ---------------------------------------------------------------------------------------------------------------

void check_node(const CopyOperands& operands) {
    check_sizes(operands);
    if (operands.source.size == 0) throw_empty("copy");
}

driver::CUDA_MEMCPY3D native(const CopyOperands& operands) {
    driver::CUDA_MEMCPY3D params{};
    params.srcMemoryType = kind_of(operands.source.address);
    params.srcDevice = operands.source.address;
    params.srcHost = reinterpret_cast<const void*>(operands.source.address);
    params.dstMemoryType = kind_of(operands.destination.address);
    params.dstDevice = operands.destination.address;
    params.dstHost = reinterpret_cast<void*>(operands.destination.address);
    params.WidthInBytes = operands.source.size;
    params.srcPitch = params.dstPitch = operands.source.size;
    params.Height = params.Depth = params.srcHeight = params.dstHeight = 1;
    return params;
}

NodeRecord record_of(const CopyOperands& operands) {
    return record_of_buffers({operands.destination.buffer, operands.source.buffer});
}

void throw_rejected(Result<driver::CUresult> failed, const CopyOperands& operands, const std::string& advice) {
    throw_with_description(failed, advice, [&] {
        return concat(describe("the destination", operands.destination), "; ", describe("the source", operands.source));
    });
}

// ---- copies of boxes ------------------------------------------------------------------------------------------------------

void check_node(const BoxOperands& operands) {
    if (plan_copy(operands.destination, operands.source).is_empty()) throw_empty("copy");
}

driver::CUDA_MEMCPY3D native(const BoxOperands& operands) {
    const BoxPlan plan = plan_copy(operands.destination, operands.source);
    auto params = native_3d<driver::CUDA_MEMCPY3D>(plan);
    if (plan.from.array == nullptr) {
        params.srcMemoryType = kind_of(plan.from.address);
        params.srcHost = reinterpret_cast<const void*>(plan.from.address);
    }
    if (plan.to.array == nullptr) {
        params.dstMemoryType = kind_of(plan.to.address);
        params.dstHost = reinterpret_cast<void*>(plan.to.address);
    }
    return params;
}

NodeRecord record_of(const BoxOperands& operands) {
    NodeRecord record = record_of_buffers({operands.destination.buffer, operands.source.buffer});
    for (const BoxView* const side : {&operands.destination, &operands.source}) {
        if (side->array_state != nullptr) record.objects.push_back(side->array_state->owner().share());
    }
    return record;
}

void throw_rejected(Result<driver::CUresult> failed, const BoxOperands& operands, const std::string& advice) {
    throw_with_description(failed, advice, [&] {
        const BoxPlan plan = plan_copy(operands.destination, operands.source);
        return describe_copy(plan, operands.destination, operands.source, ContextRef::current().device());
    });
}

// ---- nodes ----------------------------------------------------------------------------------------------------------------

namespace {

template <class Operands>
driver::CUgraphNode add_any_copy(const GraphPlace& place, const Operands& operands) {
    check_node(operands);
    return place.state.add(record_of(operands), [&] {
        const auto params = native(operands);
        const auto added = driver::cuGraphAddMemcpyNode(place.graph, place.dependencies, place.count, &params, context_of(place));
        if (!added.ok()) throw_rejected({added.status}, operands);
        return added.value;
    });
}

}  // namespace

driver::CUgraphNode add_copy(const GraphPlace& place, const CopyOperands& operands) {
    return add_any_copy(place, operands);
}

driver::CUgraphNode add_copy(const GraphPlace& place, const BoxOperands& operands) {
    return add_any_copy(place, operands);
}

// ---- fills ----------------------------------------------------------------------------------------------------------------

void check_node(const FillArguments& arguments) {
    const FillArguments merged = checked_fill(arguments);
    if (merged.memory.size == 0) throw_empty("fill");
    if (merged.slices > 1) {
        throw_misuse("a fill node has at most two dimensions, and the memory has ", merged.slices,
                     " slices with gaps between them: add a fill for each slice");
    }
}

driver::CUDA_MEMSET_NODE_PARAMS native(const FillArguments& arguments) {
    const FillArguments merged = checked_fill(arguments);
    return {merged.memory.address, merged.rows > 1 ? merged.pitch : 0,       merged.pattern,
            merged.pattern_size,   merged.memory.size / merged.pattern_size, merged.rows};
}

NodeRecord record_of(const FillArguments& arguments) {
    return record_of_buffers({arguments.memory.buffer});
}

void throw_rejected(Result<driver::CUresult> failed, const FillArguments& arguments, const std::string& advice) {
    throw_with_description(failed, advice, [&] { return describe("the destination", arguments.memory); });
}

driver::CUgraphNode add_fill(const GraphPlace& place, const FillArguments& arguments) {
    check_node(arguments);
    return place.state.add(record_of(arguments), [&] {
        const auto params = native(arguments);
        const auto added = driver::cuGraphAddMemsetNode(place.graph, place.dependencies, place.count, &params, context_of(place));
        if (!added.ok()) throw_rejected({added.status}, arguments);
        return added.value;
    });
}

}  // namespace detail

// ---- the parameters of nodes ----------------------------------------------------------------------------------------------

driver::CUDA_MEMCPY3D CopyNode::parameters() const {
    return check(driver::cuGraphMemcpyNodeGetParams(native_handle()));
}

driver::CUdeviceptr CopyNode::destination() const {
    const driver::CUDA_MEMCPY3D params = parameters();
    const bool is_host = params.dstMemoryType == driver::CU_MEMORYTYPE_HOST;
    return is_host ? reinterpret_cast<driver::CUdeviceptr>(params.dstHost) : params.dstDevice;
}

driver::CUdeviceptr CopyNode::source() const {
    const driver::CUDA_MEMCPY3D params = parameters();
    const bool is_host = params.srcMemoryType == driver::CU_MEMORYTYPE_HOST;
    return is_host ? reinterpret_cast<driver::CUdeviceptr>(params.srcHost) : params.srcDevice;
}

std::size_t CopyNode::size() const {
    const driver::CUDA_MEMCPY3D params = parameters();
    return params.WidthInBytes * params.Height * params.Depth;
}

driver::CUDA_MEMSET_NODE_PARAMS FillNode::parameters() const {
    return check(driver::cuGraphMemsetNodeGetParams(native_handle()));
}

std::size_t FillNode::size() const {
    const driver::CUDA_MEMSET_NODE_PARAMS params = parameters();
    return params.width * params.elementSize * params.height;
}

}  // namespace CUBIND_NAMESPACE
