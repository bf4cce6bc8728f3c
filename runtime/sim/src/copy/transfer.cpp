// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "copy/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "capture/capture.hpp"
#include "graph/operations/transfer.hpp"

namespace cubind::sim {

namespace {

/// Calls `row(offset in the box at to, offset in the box at from)` for every row.
template <class Row>
void for_each_row(const Place& to, const Place& from, const Extent& extent, Row row) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
        for (std::size_t y = 0; y < extent.height; ++y) row(z * to.slice + y * to.pitch, z * from.slice + y * from.pitch);
    }
}

void copy(std::byte* to, const Place& to_place, const std::byte* from, const Place& from_place, const Extent& extent) {
    for_each_row(to_place, from_place, extent, [&](std::size_t to_offset, std::size_t from_offset) {
        std::memmove(to + to_offset, from + from_offset, extent.width);
    });
}

template <class Element>
void fill_rows(std::byte* to, const Place& place, const Extent& extent, Element value) {
    for_each_row(place, place, extent, [&](std::size_t offset, std::size_t) {
        std::fill_n(reinterpret_cast<Element*>(to + offset), extent.width / sizeof(Element), value);
    });
}

WorkQueue::Work copy_work(const Operand& target, const Place& to, const Operand& source, const Place& from, const Extent& extent) {
    return [=] { copy(target.data, to, source.data, from, extent); };
}

WorkQueue::Work fill_work(const Operand& target, const Place& to, const Extent& extent, unsigned value, std::size_t size) {
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

bool Place::span(const Extent& extent, std::size_t& bytes) const noexcept {
    std::size_t rows = 0;
    std::size_t slices = 0;
    return !__builtin_mul_overflow(extent.height - 1, pitch, &rows) &&
           !__builtin_mul_overflow(extent.depth - 1, slice, &slices) && !__builtin_add_overflow(rows, slices, &bytes) &&
           !__builtin_add_overflow(bytes, extent.width, &bytes);
}

CUresult find_place(const Place& place, const Extent& extent, const Use& use, Operand& operand) {
    if (place.storage != nullptr) {
        operand = {reinterpret_cast<std::byte*>(place.address), place.storage};
        return CUDA_SUCCESS;
    }
    std::size_t bytes = 0;
    if (!place.span(extent, bytes)) return CUDA_ERROR_INVALID_VALUE;
    return find_operand(place.side, place.address, bytes, use, operand);
}

CUresult check_alignment(const Place& to, const Extent& extent, std::size_t size) {
    return to.address % size == 0 && (extent.height <= 1 || to.pitch % size == 0) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult make_copy(const Place& to, const Place& from, const Extent& extent, WorkQueue::Work& work) {
    Operand target;
    Operand source;
    if (const CUresult status = find_place(to, extent, {nullptr, true}, target)) return status;
    if (const CUresult status = find_place(from, extent, {nullptr, false}, source)) return status;
    work = copy_work(target, to, source, from, extent);
    return CUDA_SUCCESS;
}

CUresult make_fill(const Place& to, const Extent& extent, unsigned value, std::size_t size, const Device* device, WorkQueue::Work& work) {
    Operand target;
    if (const CUresult status = find_place(to, extent, {device, true}, target)) return status;
    work = fill_work(target, to, extent, value, size);
    return CUDA_SUCCESS;
}

CUresult check_transfer(const Place& to, const Place& from, const Extent& extent, const Device& device) {
    Operand ignored;
    if (const CUresult status = find_place(to, extent, {&device, true}, ignored)) return status;
    return find_place(from, extent, {&device, false}, ignored);
}

namespace {

// Returns the device that performs the copy: that of the current context, even if the stream belongs to another
// context.
const Device* copying_device(const StreamCheck& stream) {
    const Context* const current = current_context();
    return current != nullptr ? &current->device : &stream->context->device;
}

CUresult transfer_by(const Device* device, const StreamCheck& stream, const Place& to, const Place& from, const Extent& extent, When when) {
    Operand target;
    Operand source;
    if (const CUresult status = find_place(to, extent, {device, true}, target)) return status;
    if (const CUresult status = find_place(from, extent, {device, false}, source)) return status;
    if (when == When::now) {
        stream->context->order.run(*stream, [&] { copy(target.data, to, source.data, from, extent); });
        return stream.fault();
    }
    WorkQueue::Work work;
    if (source.is_pageable() || from.is_read_at_once) {
        std::size_t bytes = 0;
        from.span(extent, bytes);
        std::vector<std::byte> staged(bytes);
        copy(staged.data(), from, source.data, from, extent);
        work = [=, staged = std::move(staged)] { copy(target.data, to, staged.data(), from, extent); };
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

CUresult transfer(const Place& to, const Place& from, const Extent& extent, CUstream handle, When when) {
    const StreamCheck stream(handle);
    if (stream.failed()) return stream.status;
    if (extent.is_empty()) return CUDA_SUCCESS;
    if (!stream.is_captured()) return transfer_by(copying_device(stream), stream, to, from, extent, when);
    if (when != When::in_stream) return refuse_capture(stream);
    const Device& device = *copying_device(stream);
    if (is_out_of_reach(to.address, device) || is_out_of_reach(from.address, device)) return CUDA_ERROR_INVALID_VALUE;
    return capture(stream, copy_operation(to, from, extent));
}

CUresult transfer_between_contexts(const Place& to, const Place& from, const Extent& extent, CUstream handle, When when) {
    const StreamCheck stream(handle);
    if (stream.failed()) return stream.status;
    if (extent.is_empty()) return CUDA_SUCCESS;
    return stream.is_captured() ? refuse_capture(stream) : transfer_by(nullptr, stream, to, from, extent, when);
}

CUresult fill(const Place& to, const Extent& extent, unsigned value, std::size_t size, CUstream handle, When when) {
    const StreamCheck stream(handle);
    if (stream.failed()) return stream.status;
    if (const CUresult status = check_alignment(to, extent, size)) return status;
    if (extent.is_empty()) return CUDA_SUCCESS;
    if (stream.is_captured()) {
        return when == When::in_stream ? capture(stream, fill_operation(to, extent, value, size)) : refuse_capture(stream);
    }
    WorkQueue::Work work;
    if (const CUresult status = make_fill(to, extent, value, size, &stream->context->device, work)) return status;
    if (when == When::now) {
        stream->context->order.run(*stream, work);
        return CUDA_SUCCESS;
    }
    return stream.submit(std::move(work));
}

}  // namespace cubind::sim
