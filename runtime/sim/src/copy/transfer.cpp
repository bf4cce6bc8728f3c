// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "copy/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "capture/capture.hpp"
#include "graph/operations/transfer.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// Calls `row(to_offset, from_offset)` for each row, with its offsets in bytes from the beginnings of both boxes.
template <class Row>
void for_each_row(const Place& to, const Place& from, const BoxExtent& extent, Row row) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
        for (std::size_t y = 0; y < extent.height; ++y) row(z * to.slice + y * to.pitch, z * from.slice + y * from.pitch);
    }
}

void copy(std::byte* to, const Place& to_place, const std::byte* from, const Place& from_place, const BoxExtent& extent) {
    for_each_row(to_place, from_place, extent, [&](std::size_t to_offset, std::size_t from_offset) {
        std::memmove(to + to_offset, from + from_offset, extent.width);
    });
}

template <class Element>
void fill_rows(std::byte* to, const Place& place, const BoxExtent& extent, Element value) {
    for_each_row(place, place, extent, [&](std::size_t offset, std::size_t) {
        std::fill_n(reinterpret_cast<Element*>(to + offset), extent.width / sizeof(Element), value);
    });
}

WorkQueue::Work copy_work(const Operand& target, const Place& to, const Operand& source, const Place& from,
                          const BoxExtent& extent) {
    return [=] { copy(target.data, to, source.data, from, extent); };
}

WorkQueue::Work fill_work(const Operand& target, const Place& to, const BoxExtent& extent, unsigned value, std::size_t size) {
    return [=] {
        if (size == 1) {
            fill_rows(target.data, to, extent, static_cast<std::uint8_t>(value));
        } else if (size == 2) {
            fill_rows(target.data, to, extent, static_cast<std::uint16_t>(value));
        } else {
            fill_rows(target.data, to, extent, static_cast<std::uint32_t>(value));
        }
    };
}

}  // namespace

bool Place::span(const BoxExtent& extent, std::size_t& bytes) const noexcept {
    std::size_t rows = 0;
    std::size_t slices = 0;
    return !__builtin_mul_overflow(extent.height - 1, pitch, &rows) &&
           !__builtin_mul_overflow(extent.depth - 1, slice, &slices) && !__builtin_add_overflow(rows, slices, &bytes) &&
           !__builtin_add_overflow(bytes, extent.width, &bytes);
}

CUresult find_place(const Place& place, const BoxExtent& extent, const Access& access, Operand& operand) {
    if (place.storage != nullptr) {
        operand = {reinterpret_cast<std::byte*>(place.address), place.storage};
        return CUDA_SUCCESS;
    }
    std::size_t bytes = 0;
    if (!place.span(extent, bytes)) return CUDA_ERROR_INVALID_VALUE;
    return find_operand(place.side, place.address, bytes, access, operand);
}

CUresult check_alignment(const Place& to, const BoxExtent& extent, std::size_t size) {
    return to.address % size == 0 && (extent.height <= 1 || to.pitch % size == 0) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult make_copy(const Place& to, const Place& from, const BoxExtent& extent, WorkQueue::Work& work) {
    Operand target;
    Operand source;
    if (const CUresult status = find_place(to, extent, {nullptr, true}, target)) return status;
    if (const CUresult status = find_place(from, extent, {nullptr, false}, source)) return status;
    work = copy_work(target, to, source, from, extent);
    return CUDA_SUCCESS;
}

CUresult make_fill(const Place& to, const BoxExtent& extent, unsigned value, std::size_t size, const Device* device,
                   WorkQueue::Work& work) {
    Operand target;
    if (const CUresult status = find_place(to, extent, {device, true}, target)) return status;
    work = fill_work(target, to, extent, value, size);
    return CUDA_SUCCESS;
}

CUresult check_transfer(const Place& to, const Place& from, const BoxExtent& extent, const Device& device) {
    Operand ignored;
    if (const CUresult status = find_place(to, extent, {&device, true}, ignored)) return status;
    return find_place(from, extent, {&device, false}, ignored);
}

namespace {

// Returns the device that performs the copy: that of the current context, even if the stream belongs to another
// context.
const Device* transfer_device(const StreamCheck& stream) {
    const Context* const current = current_context();
    return current != nullptr ? &current->device : &stream->context->device;
}

CUresult transfer_on(const Device* device, const StreamCheck& stream, const Place& to, const Place& from, const BoxExtent& extent,
                     TransferMode mode) {
    Operand target;
    Operand source;
    if (const CUresult status = find_place(to, extent, {device, true}, target)) return status;
    if (const CUresult status = find_place(from, extent, {device, false}, source)) return status;
    if (mode == TransferMode::sync) {
        stream->context->order.run(*stream, [&] { copy(target.data, to, source.data, from, extent); });
        return stream.fault();
    }
    WorkQueue::Work work;
    if (source.is_pageable() || from.is_read_immediately) {
        std::size_t bytes = 0;
        from.span(extent, bytes);
        std::vector<std::byte> staging(bytes);
        copy(staging.data(), from, source.data, from, extent);
        work = [=, staging = std::move(staging)] { copy(target.data, to, staging.data(), from, extent); };
    } else {
        work = copy_work(target, to, source, from, extent);
    }
    Ticket done;
    if (const CUresult status = stream.submit(std::move(work), {}, &done)) return status;
    if (!target.is_pageable()) return CUDA_SUCCESS;
    done.wait();
    return stream.fault();
}

}  // namespace

CUresult transfer(const Place& to, const Place& from, const BoxExtent& extent, CUstream handle, TransferMode mode) {
    const StreamCheck stream(handle);
    if (stream.failed()) return stream.status;
    if (extent.is_empty()) return CUDA_SUCCESS;
    if (!stream.is_captured()) return transfer_on(transfer_device(stream), stream, to, from, extent, mode);
    if (mode != TransferMode::async) return refuse_capture(stream);
    const Device& device = *transfer_device(stream);
    if (is_out_of_reach(to.address, device) || is_out_of_reach(from.address, device)) return CUDA_ERROR_INVALID_VALUE;
    return capture(stream, copy_operation(to, from, extent));
}

CUresult transfer_between_contexts(const Place& to, const Place& from, const BoxExtent& extent, CUstream handle,
                                   TransferMode mode) {
    const StreamCheck stream(handle);
    if (stream.failed()) return stream.status;
    if (extent.is_empty()) return CUDA_SUCCESS;
    return stream.is_captured() ? refuse_capture(stream) : transfer_on(nullptr, stream, to, from, extent, mode);
}

CUresult fill(const Place& to, const BoxExtent& extent, unsigned value, std::size_t size, CUstream handle, TransferMode mode) {
    const StreamCheck stream(handle);
    if (stream.failed()) return stream.status;
    if (const CUresult status = check_alignment(to, extent, size)) return status;
    if (extent.is_empty()) return CUDA_SUCCESS;
    if (stream.is_captured()) {
        return mode == TransferMode::async ? capture(stream, fill_operation(to, extent, value, size)) : refuse_capture(stream);
    }
    WorkQueue::Work work;
    if (const CUresult status = make_fill(to, extent, value, size, &stream->context->device, work)) return status;
    if (mode == TransferMode::sync) {
        stream->context->order.run(*stream, work);
        return CUDA_SUCCESS;
    }
    return stream.submit(std::move(work));
}

}  // namespace CUBIND_NAMESPACE::sim
