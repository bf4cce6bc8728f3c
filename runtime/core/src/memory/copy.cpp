// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/buffer.hpp>
#include <cubind/core/copy.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/pointer_attributes.hpp>
#include <cubind/driver/memory.hpp>

#include "memory/refusals.hpp"
#include "stream/stream_context.hpp"
#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

[[noreturn]] void throw_too_small(const MemoryView& destination, const MemoryView& source) {
    throw_misuse("cannot copy ", source.size, " bytes to a destination of ", destination.size,
                 " bytes; pass a std::span of the part to be copied");
}

[[noreturn]] void throw_not_copied(Result<driver::CUresult> failure, StreamRef stream, const MemoryView& destination,
                                   const MemoryView& source) {
    std::string advice = advice_on_context(failure.status, stream);
    if (failure.status == driver::CUDA_ERROR_INVALID_VALUE) {
        advice = concat(describe("the destination", destination, stream), "; ", describe("the source", source, stream));
    }
    throw_with_advice(failure, advice);
}

// The driver copies memory of pools only if the device of the current context can access both sides. Between devices,
// cuMemcpyPeerAsync requires no access but cannot be captured. Otherwise each device that owns a side is tried. Returns
// whether the copy was submitted.
bool copy_otherwise(StreamRef stream, const MemoryView& destination, const MemoryView& source) {
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

MemoryView memory_view_of(const Buffer& buffer) {
    return {buffer.native_handle(), buffer.size(), &buffer};
}

void copy(StreamRef stream, const MemoryView& destination, const MemoryView& source) {
    const driver::CUstream handle = stream.native_handle();
    if (source.size > destination.size) [[unlikely]]
        throw_too_small(destination, source);
    if (source.size == 0) return;
    if (StreamAccess::retainer(stream) != nullptr) {
        if (destination.buffer != nullptr) retain_for_capture(stream, *destination.buffer);
        if (source.buffer != nullptr) retain_for_capture(stream, *source.buffer);
    }
    const StreamScope scope(stream);
    const auto copied = driver::cuMemcpyAsync(destination.address, source.address, source.size, handle);
    if (copied.ok()) [[likely]]
        return;
    if (copied.status == driver::CUDA_ERROR_INVALID_VALUE && copy_otherwise(stream, destination, source)) return;
    throw_not_copied(copied, stream, destination, source);
}

}  // namespace CUBIND_NAMESPACE::detail
