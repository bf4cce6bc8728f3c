// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <simulation/functions.hpp>
#include <vector>

#include "machine/submit.hpp"

/// Batches of copies. All copies are checked before the first is performed, so that a batch with an error performs
/// none.
namespace CUBIND_NAMESPACE::sim {

namespace {

/// The stream of copies with attributes. The legacy default stream is invalid.
struct AttributeStream : StreamCheck {
    explicit AttributeStream(CUstream handle) : StreamCheck(handle) {
        if (!failed() && stream == stream->context->order.legacy()) status = CUDA_ERROR_INVALID_VALUE;
    }
};

/// The stream of a batch. Batches cannot be captured. The failed call leaves the capture valid.
struct BatchStream : AttributeStream {
    explicit BatchStream(CUstream handle) : AttributeStream(handle) {
        if (!failed() && is_captured()) status = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
};

constexpr std::size_t no_copy = std::numeric_limits<std::size_t>::max();

bool is_order(CUmemcpySrcAccessOrder order) noexcept {
    return order >= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
}

bool is_valid(const CUmemcpyAttributes& attributes) noexcept {
    return is_order(attributes.srcAccessOrder) && attributes.flags <= CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
}

// If a copy is invalid, writes its index to `failed`.
CUresult check_and_submit(const std::vector<CopyOperation>& copies, const StreamCheck& stream, CUstream handle,
                          std::size_t& failed) {
    for (failed = 0; failed < copies.size(); ++failed) {
        const CopyOperation& each = copies[failed];
        if (each.extent.is_empty()) return CUDA_ERROR_INVALID_VALUE;
        Operand target;
        Operand source;
        if (const CUresult status = each.find(machine().memory, &stream->context->device, target, source)) return status;
    }
    failed = no_copy;
    for (const CopyOperation& each : copies) {
        if (const CUresult status = transfer(each, handle, TransferMode::async)) return status;
    }
    return CUDA_SUCCESS;
}

// Each attribute applies from the copy with its index up to the copy with the next attribute's index.
bool are_valid(const CUmemcpyAttributes* attributes, const std::size_t* first, std::size_t count, std::size_t copies) {
    if (attributes == nullptr || first == nullptr || count == 0 || count > copies || first[0] != 0) return false;
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_increasing = i == 0 || first[i] > first[i - 1];
        if (!is_increasing || first[i] >= copies || !is_valid(attributes[i])) return false;
    }
    return true;
}

CUresult copy_lines(CUdeviceptr* to, CUdeviceptr* from, std::size_t* sizes, std::size_t count, CUmemcpyAttributes* attributes,
                    std::size_t* first, std::size_t attribute_count, CUstream handle, std::size_t& failed) {
    failed = no_copy;
    const BatchStream stream(handle);
    if (stream.failed()) return stream.status;
    const bool has_arrays = to != nullptr && from != nullptr && sizes != nullptr && count != 0;
    if (!has_arrays || !are_valid(attributes, first, attribute_count, count)) return CUDA_ERROR_INVALID_VALUE;
    std::vector<CopyOperation> copies;
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (at + 1 < attribute_count && first[at + 1] == i) ++at;
        copies.push_back({any_place(to[i]), any_place(from[i]), {sizes[i]}});
        copies.back().from.is_read_immediately = attributes[at].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    }
    return check_and_submit(copies, stream, handle, failed);
}

/// Returns the unit of the sizes of a three-dimensional copy: an element of its source or destination array, or a byte if neither
/// is an array.
Element unit_of(const CUDA_MEMCPY3D_BATCH_OP& operation) {
    for (const CUmemcpy3DOperand* end : {&operation.src, &operation.dst}) {
        if (end->type != CU_MEMCPY_OPERAND_TYPE_ARRAY) continue;
        const auto array = machine().arrays.find(end->op.array.array);
        if (array != nullptr) return *element_of(array->descriptor.Format, array->descriptor.NumChannels);
    }
    return {.bytes = 1};
}

CUresult place_of(const CUmemcpy3DOperand& end, const BoxExtent& extent, const Element& unit, Place& place) {
    const auto in_units = [&](std::size_t count) { return count / unit.side + (count % unit.side != 0 ? 1 : 0); };
    if (end.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
        const CUoffset3D& offset = end.op.array.offset;
        std::size_t x = 0;
        if (__builtin_mul_overflow(in_units(offset.x), unit.bytes, &x)) return CUDA_ERROR_INVALID_VALUE;
        return place_in_array(machine().arrays.find(end.op.array.array), x, in_units(offset.y), offset.z, extent, place);
    }
    if (end.type != CU_MEMCPY_OPERAND_TYPE_POINTER) return CUDA_ERROR_INVALID_VALUE;
    const auto& pointer = end.op.ptr;
    place = any_place(pointer.ptr);
    if (__builtin_mul_overflow(in_units(pointer.rowLength), unit.bytes, &place.pitch)) return CUDA_ERROR_INVALID_VALUE;
    if (place.pitch == 0) place.pitch = extent.width;
    const std::size_t rows = pointer.layerHeight != 0 ? in_units(pointer.layerHeight) : extent.height;
    if (place.pitch < extent.width || rows < extent.height) return CUDA_ERROR_INVALID_VALUE;
    return __builtin_mul_overflow(place.pitch, rows, &place.slice) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult copy_of(const CUDA_MEMCPY3D_BATCH_OP& operation, CopyOperation& copy) {
    if (!is_valid({operation.srcAccessOrder, {}, {}, operation.flags})) return CUDA_ERROR_INVALID_VALUE;
    const Element unit = unit_of(operation);
    const auto in_units = [&](std::size_t count) { return count / unit.side + (count % unit.side != 0 ? 1 : 0); };
    copy.extent = {0, in_units(operation.extent.height), operation.extent.depth};
    if (__builtin_mul_overflow(in_units(operation.extent.width), unit.bytes, &copy.extent.width)) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = place_of(operation.dst, copy.extent, unit, copy.to)) return status;
    if (const CUresult status = place_of(operation.src, copy.extent, unit, copy.from)) return status;
    copy.from.is_read_immediately = operation.srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    return CUDA_SUCCESS;
}

CUresult copy_boxes(std::size_t count, const CUDA_MEMCPY3D_BATCH_OP* operations, unsigned long long flags,
                    const StreamCheck& stream, CUstream handle, std::size_t& failed) {
    failed = no_copy;
    if (stream.failed()) return stream.status;
    if (count == 0 || operations == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    std::vector<CopyOperation> copies;
    for (std::size_t i = 0; i < count; ++i) {
        copies.emplace_back();
        failed = i;
        if (const CUresult status = copy_of(operations[i], copies.back())) return status;
    }
    return check_and_submit(copies, stream, handle, failed);
}

}  // namespace

extern "C" {

CUresult sim_cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, std::size_t* sizes, std::size_t count,
                                   CUmemcpyAttributes* attrs, std::size_t* attrsIdxs, std::size_t numAttrs, CUstream hStream) {
    std::size_t failed = 0;
    return copy_lines(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, hStream, failed);
}

CUresult sim_cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, std::size_t* sizes, std::size_t count,
                                CUmemcpyAttributes* attrs, std::size_t* attrsIdxs, std::size_t numAttrs, std::size_t* failIdx,
                                CUstream hStream) {
    std::size_t failed = 0;
    const CUresult status = copy_lines(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, hStream, failed);
    if (failIdx != nullptr) *failIdx = status != CUDA_SUCCESS ? failed : no_copy;
    return status;
}

CUresult sim_cuMemcpyWithAttributesAsync(CUdeviceptr dst, CUdeviceptr src, std::size_t size, CUmemcpyAttributes* attr,
                                         CUstream hStream) {
    const Valid<AttributeStream> stream(hStream);
    if (attr == nullptr || !is_valid(*attr)) return CUDA_ERROR_INVALID_VALUE;
    Place from = any_place(src);
    from.is_read_immediately = attr->srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    return transfer(any_place(dst), from, {size}, hStream, TransferMode::async);
}

CUresult sim_cuMemcpy3DBatchAsync_v2(std::size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, unsigned long long flags,
                                     CUstream hStream) {
    std::size_t failed = 0;
    return copy_boxes(numOps, opList, flags, BatchStream(hStream), hStream, failed);
}

CUresult sim_cuMemcpy3DBatchAsync(std::size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, std::size_t* failIdx,
                                  unsigned long long flags, CUstream hStream) {
    std::size_t failed = 0;
    const CUresult status = copy_boxes(numOps, opList, flags, BatchStream(hStream), hStream, failed);
    if (failIdx != nullptr) *failIdx = status != CUDA_SUCCESS ? failed : no_copy;
    return status;
}

CUresult sim_cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP* op, unsigned long long flags, CUstream hStream) {
    std::size_t failed = 0;
    return copy_boxes(1, op, flags, AttributeStream(hStream), hStream, failed);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
