// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/copy.hpp>

#include <cubind/core/buffer.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/pointer_attributes.hpp>
#include <cubind/driver/memory.hpp>

#include "memory/refusals.hpp"
#include "stream/stream_context.hpp"
#include "support/driver.hpp"

namespace cubind::detail {
namespace {

[[noreturn]] void throw_too_small(const MemoryView& destination, const MemoryView& source) {
    throw_misuse("a copy of ", source.size, " bytes to a destination of ", destination.size,
                 ": it has to be at least as large; copy a part, by a std::span of it");
}

[[noreturn]] void throw_not_copied(Result<driver::CUresult> failure, StreamRef stream, const MemoryView& destination,
                                   const MemoryView& source) {
    std::string advice = advice_on_context(failure.status, stream);
    if (failure.status == driver::CUDA_ERROR_INVALID_VALUE) {
        advice = concat(describe("the destination", destination, stream), "; ", describe("the source", source, stream));
    }
    throw_with_advice(failure, advice);
}

// Memory of pools is copied only where the current context's device can reach all of it, so each device that has a part is tried; from one
// device to another there is a call that needs no reach, but cannot be captured.
bool is_copied_otherwise(StreamRef stream, const MemoryView& destination, const MemoryView& source) {
    const auto to = PointerAttributes::of(destination.address);
    const auto from = PointerAttributes::of(source.address);
    const bool is_between_devices =
        to.kind == MemoryType::device && from.kind == MemoryType::device && to.device && from.device && to.device != from.device;
    if (is_between_devices && !stream.is_capturing()) {
        return driver::cuMemcpyPeerAsync(destination.address, to.device->primary_context().native_handle(), source.address,
                                         from.device->primary_context().native_handle(), source.size, stream.native_handle())
            .ok();
    }
    const Device copying = stream.device();
    for (const auto& device : {to.device, from.device}) {
        if (!device || device == copying) continue;
        const ScopedContext scope(device->primary_context());
        if (driver::cuMemcpyAsync(destination.address, source.address, source.size, stream.native_handle()).ok()) return true;
    }
    return false;
}

}  // namespace

MemoryView view_of(const Buffer& buffer) {
    return {buffer.native_handle(), buffer.size(), &buffer};
}

void copy(StreamRef stream, const MemoryView& destination, const MemoryView& source) {
    const driver::CUstream handle = stream.native_handle();
    if (source.size > destination.size) [[unlikely]] throw_too_small(destination, source);
    if (source.size == 0) return;
    if (detail::StreamAccess::retainer(stream) != nullptr) {
        if (destination.buffer != nullptr) keep_for_capture(stream, *destination.buffer);
        if (source.buffer != nullptr) keep_for_capture(stream, *source.buffer);
    }
    const StreamScope scope(stream);
    const auto copied = driver::cuMemcpyAsync(destination.address, source.address, source.size, handle);
    if (copied.ok()) [[likely]] return;
    if (copied.status == driver::CUDA_ERROR_INVALID_VALUE && is_copied_otherwise(stream, destination, source)) return;
    throw_not_copied(copied, stream, destination, source);
}

}  // namespace cubind::detail
