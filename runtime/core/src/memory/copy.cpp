// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/memory.hpp>

#include <initializer_list>
#include <optional>

#include "calls/driver.hpp"
#include "device/device_table.hpp"
#include "memory/operand_checks.hpp"
#include "memory/refusals.hpp"
#include "memory/single_copy.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// ---- copies between devices ----------------------------------------------------------------------------------------------

// Returns whether the memory is known, without a driver call, to be host memory or memory on the device of the context.
bool is_known_to_be_near(const MemoryView& memory, driver::CUcontext context) {
    if (memory.buffer == nullptr) return false;
    const auto resource = memory.buffer->memory_resource();
    if (!resource) return false;
    const auto device = resource->device();
    return device ? DeviceTable::get().at(device->ordinal()).is_primary(context) : resource->is_host_accessible();
}

// The driver copies memory of pools only if the device of the current context can access it.
bool is_out_of_reach(const PointerAttributes& memory) {
    return memory.kind == MemoryType::device && memory.pool != nullptr && memory.device_pointer == 0;
}

// Returns the device whose context can copy between both sides.
std::optional<Device> copying_device(const MemoryView& destination, const MemoryView& source,
                                     std::initializer_list<std::optional<Device>> candidates) {
    for (const auto& device : candidates) {
        if (!device) continue;
        const ScopedContext scope(device->primary_context());
        if (is_out_of_reach(PointerAttributes::of(destination.address))) continue;
        if (!is_out_of_reach(PointerAttributes::of(source.address))) return device;
    }
    return std::nullopt;
}

// Returns the context in which the stream copies, which is the current context.
ContextRef context_of_copies(StreamRef stream) {
    const StreamState* const owned = StreamAccess::state(stream);
    return owned != nullptr ? ContextRef(owned->context()) : ContextRef::current();
}

bool are_within_reach(ContextRef context, const MemoryView& destination, const MemoryView& source) {
    const auto is_near = [&](const MemoryView& memory) {
        return is_known_to_be_near(memory, context.native_handle()) || !is_out_of_reach(PointerAttributes::of(memory.address));
    };
    return is_near(destination) && is_near(source);
}

// Copies in the current context, which is the context of the stream. If the device of this context cannot access both sides,
// copies with cuMemcpyPeerAsync, which requires no access but cannot be captured, or in the context of a device that can access
// both. Decides before the call, because a correct program must not cause failing calls.
Result<driver::CUresult> copy_between_devices(StreamRef stream, const MemoryView& destination, const MemoryView& source) {
    const auto copy_here = [&] {
        return driver::cuMemcpyAsync(destination.address, source.address, source.size, StreamAccess::handle(stream));
    };
    const ContextRef context = context_of_copies(stream);
    if (!context) return copy_here();  // fails: no context is current
    if (are_within_reach(context, destination, source)) return copy_here();
    const auto to = PointerAttributes::of(destination.address);
    const auto from = PointerAttributes::of(source.address);
    const bool is_between_devices =
        to.kind == MemoryType::device && from.kind == MemoryType::device && to.device && from.device && to.device != from.device;
    if (is_between_devices && !stream.is_capturing()) {
        return driver::cuMemcpyPeerAsync(destination.address, to.device->primary_context().native_handle(), source.address,
                                         from.device->primary_context().native_handle(), source.size,
                                         StreamAccess::handle(stream));
    }
    const auto copying = copying_device(destination, source, {to.device, from.device});
    if (!copying) return copy_here();  // fails: no device can access both sides
    const ScopedContext scope(copying->primary_context());
    return copy_here();
}

}  // namespace

void throw_too_small(const CopyOperands& operands, const std::string& which) {
    throw_misuse(which, "cannot copy ", operands.source.size, " bytes to a destination of ", operands.destination.size,
                 " bytes; pass a std::span of the part to be copied");
}

void throw_not_copied(Result<driver::CUresult> failure, StreamRef stream, const CopyOperands& operands,
                      const std::string& which) {
    std::string advice = advice_on_context(failure.status, stream);
    if (failure.status == driver::CUDA_ERROR_INVALID_VALUE) {
        advice = concat(describe("the destination", operands.destination, stream), "; ",
                        describe("the source", operands.source, stream));
    }
    throw_with_advice(failure, which + advice);
}

MemoryView memory_view_of(const Buffer& buffer) {
    return {buffer.native_handle(), buffer.size(), &buffer};
}

bool are_within_reach(StreamRef stream, const CopyOperands& operands) {
    if (DeviceTable::get().size() == 1) return true;
    const ContextRef context = context_of_copies(stream);
    return !context || are_within_reach(context, operands.destination, operands.source);
}

Result<driver::CUresult> submit_copy(StreamRef stream, const CopyOperands& operands) {
    const auto& [destination, source] = operands;
    if (DeviceTable::get().size() != 1) return copy_between_devices(stream, destination, source);
    return driver::cuMemcpyAsync(destination.address, source.address, source.size, StreamAccess::handle(stream));
}

void retain_for_capture(StreamRef stream, const CopyOperands& operands) {
    if (StreamAccess::retainer(stream) == nullptr) return;
    if (operands.destination.buffer != nullptr) retain_for_capture(stream, *operands.destination.buffer);
    if (operands.source.buffer != nullptr) retain_for_capture(stream, *operands.source.buffer);
}

void copy(StreamRef stream, const CopyOperands& operands) {
    (void)StreamAccess::handle(stream);  // throws for an empty stream
    check_sizes(operands);
    if (operands.source.size == 0) return;
    retain_for_capture(stream, operands);
    const StreamScope scope(stream);
    const auto copied = submit_copy(stream, operands);
    if (copied.ok()) [[likely]]
        return;
    throw_not_copied(copied, stream, operands);
}

}  // namespace CUBIND_NAMESPACE::detail
