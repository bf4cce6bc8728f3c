// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/array.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/memory.hpp>

#include <algorithm>
#include <optional>

#include "array/array_description.hpp"
#include "array/array_state.hpp"
#include "array/box_call.hpp"
#include "array/box_plan.hpp"
#include "calls/driver.hpp"
#include "device/device_table.hpp"
#include "memory/refusals.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// ---- the call ------------------------------------------------------------------------------------------------------------

Result<driver::CUresult> copy_here(const BoxPlan& plan, driver::CUstream stream) {
    if (plan.depth == 1 && plan.to.z == 0 && plan.from.z == 0) {
        const auto copy = native_slice<driver::CUDA_MEMCPY2D>(plan);
        return driver::cuMemcpy2DAsync(&copy, stream);
    }
    const auto copy = native_3d<driver::CUDA_MEMCPY3D>(plan);
    return driver::cuMemcpy3DAsync(&copy, stream);
}

// Returns the context to which the memory of a side belongs, or no context for host memory and for arrays that cubind does not
// own.
ContextRef context_of(const BoxView& side) {
    if (side.array_state != nullptr) return side.array_state->owner().context();
    if (side.array != nullptr) return {};
    const auto memory = PointerAttributes::of(side.address);
    return memory.kind == MemoryType::device && memory.device ? memory.device->primary_context() : ContextRef();
}

bool is_elsewhere(ContextRef context, Device here) {
    return context && context.device() != here;
}

// Copies in the stream's context, which is current. If one side belongs to another device, passes the contexts of both sides to
// the driver, unless the stream is capturing: such copies cannot be captured.
Result<driver::CUresult> copy_between_devices(const BoxPlan& plan, StreamRef stream, const BoxView& destination,
                                              const BoxView& source) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    const ContextRef here = ContextRef::current();
    if (!here) return copy_here(plan, handle);  // fails: no context is current
    const ContextRef to = context_of(destination);
    const ContextRef from = context_of(source);
    const Device device = here.device();
    if ((!is_elsewhere(to, device) && !is_elsewhere(from, device)) || stream.is_capturing()) return copy_here(plan, handle);
    auto copy = native_3d<driver::CUDA_MEMCPY3D_PEER>(plan);
    copy.dstContext = (to ? to : here).native_handle();
    copy.srcContext = (from ? from : here).native_handle();
    return driver::cuMemcpy3DPeerAsync(&copy, handle);
}

// ---- failures ------------------------------------------------------------------------------------------------------------

std::string describe_side(const char* role, const BoxView& side, const BoxEnd& end, const BoxPlan& plan, Device device,
                          std::optional<StreamRef> stream) {
    if (side.array != nullptr) {
        const ArrayRef array = side.array_state != nullptr ? side.array_state->view() : ArrayRef(side.array);
        return concat(role, " is ", describe(array.options()));
    }
    const std::size_t rows = (plan.depth - 1) * end.rows_per_slice + plan.height - 1;
    const MemoryView memory{side.address, rows * end.pitch + plan.width, side.buffer};
    std::string text = describe(concat(role, " with a pitch of ", end.pitch, " bytes"), memory, stream);
    const int max_pitch = device.properties().max_pitch();
    if (plan.height > 1 && end.pitch > static_cast<std::size_t>(max_pitch)) {
        text.append(concat(": the device allows a pitch of at most ", max_pitch, " bytes"));
    }
    return text;
}

[[noreturn]] void throw_not_copied(Result<driver::CUresult> failure, const BoxPlan& plan, StreamRef stream,
                                   const BoxView& destination, const BoxView& source) {
    std::string advice = advice_on_context(failure.status, stream);
    if (failure.status == driver::CUDA_ERROR_INVALID_VALUE)
        advice = describe_copy(plan, destination, source, stream.device(), stream);
    throw_with_advice(failure, advice);
}

void retain(Retainer& retainer, StreamRef stream, const BoxView& side) {
    if (side.array_state != nullptr) retainer.retain(side.array_state->owner().share());
    if (side.buffer != nullptr) retain_for_capture(stream, *side.buffer);
}

}  // namespace

bool is_between_devices(const BoxView& destination, const BoxView& source) {
    if (DeviceTable::get().size() == 1) return false;
    const ContextRef here = ContextRef::current();
    if (!here) return false;
    const Device device = here.device();
    return is_elsewhere(context_of(destination), device) || is_elsewhere(context_of(source), device);
}

std::string describe_copy(const BoxPlan& plan, const BoxView& destination, const BoxView& source, Device device,
                          std::optional<StreamRef> stream) try {
    return concat(describe_side("the destination", destination, plan.to, plan, device, stream), "; ",
                  describe_side("the source", source, plan.from, plan, device, stream));
} catch (const Error&) {
    return {};
}

void copy_box(StreamRef stream, const BoxView& destination, const BoxView& source) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    const BoxPlan plan = plan_copy(destination, source);
    if (plan.is_empty()) return;
    if (Retainer* const retainer = StreamAccess::retainer(stream)) {
        retain(*retainer, stream, destination);
        retain(*retainer, stream, source);
    }
    const StreamScope scope(stream);
    const auto copied =
        DeviceTable::get().size() == 1 ? copy_here(plan, handle) : copy_between_devices(plan, stream, destination, source);
    if (!copied.ok()) [[unlikely]]
        throw_not_copied(copied, plan, stream, destination, source);
}

}  // namespace CUBIND_NAMESPACE::detail
