// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/green_context.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/green_context.hpp>

#include "calls/context_wait.hpp"
#include "calls/driver.hpp"
#include "calls/required_release.hpp"
#include "lifetime/known_contexts.hpp"
#include "stream/green_context_state.hpp"

namespace CUBIND_NAMESPACE {

// ---- the state -----------------------------------------------------------------------------------------------------------

namespace detail {

namespace {

Result<driver::CUresult> destroy_green_context(unsigned long long handle) {
    return driver::cuGreenCtxDestroy(reinterpret_cast<driver::CUgreenCtx>(handle));
}

}  // namespace

GreenContextState::GreenContextState(Device device)
    : ContextObject(device.primary_context(), destroy_green_context, "destroy a green context"), device_(device) {}

// Streams that were created while the green context was current do not retain it. Their handles must not be used afterwards.
GreenContextState::~GreenContextState() {
    if (context_) note_ended_green_context(context_.native_handle());
}

void GreenContextState::disown() noexcept {
    context_ = ContextRef();
    ContextObject::disown();
}

GreenContextRef GreenContextState::own(std::shared_ptr<GreenContextState> state, driver::CUgreenCtx handle,
                                       ContextRef context) noexcept {
    state->green_ = handle;
    state->context_ = context;
    return ContextObject::own(std::move(state), reinterpret_cast<std::uintptr_t>(handle))->view();
}

GreenContextRef GreenContextState::view() noexcept {
    GreenContextRef context(green_);
    context.state_ = this;
    return context;
}

}  // namespace detail

// ---- properties ----------------------------------------------------------------------------------------------------------

ContextRef GreenContextRef::context() const {
    const Handle handle = native_handle();
    return state_ != nullptr ? state_->context() : ContextRef(check(driver::cuCtxFromGreenCtx(handle)));
}

Device GreenContextRef::device() const {
    return state_ != nullptr ? state_->device() : context().device();
}

unsigned long long GreenContextRef::id() const {
    const Handle handle = native_handle();
    detail::require_release("GreenContext::id()", 12090);
    return check(driver::cuGreenCtxGetId(handle));
}

// ---- work ----------------------------------------------------------------------------------------------------------------

Stream GreenContextRef::create_stream() const {
    return Stream(*this);
}

Stream GreenContextRef::create_stream(const StreamOptions& options) const {
    return Stream(*this, options);
}

void GreenContextRef::record(EventRef event) const {
    detail::check_context_wait(driver::cuGreenCtxRecordEvent(native_handle(), event.native_handle()),
                               [&] { return context().native_handle(); });
}

Event GreenContextRef::record() const {
    return record(EventOptions{});
}

Event GreenContextRef::record(const EventOptions& options) const {
    Event event(device().primary_context(), options);
    record(event);
    return event;
}

void GreenContextRef::wait(EventRef event) const {
    detail::check_context_wait(driver::cuGreenCtxWaitEvent(native_handle(), event.native_handle()),
                               [&] { return context().native_handle(); });
}

// ---- the owner -----------------------------------------------------------------------------------------------------------

void GreenContextRef::destroy() const {
    state_->close();
}

void GreenContextRef::destroy_quietly() const noexcept {
    state_->drop();
}

GreenContextRef::Handle GreenContextRef::release_handle() const noexcept {
    const Handle handle = handle_;
    if (state_ != nullptr) state_->disown();
    return handle;
}

namespace {

void check_device(Device wanted, Device actual, const char* resource) {
    if (wanted == actual) return;
    detail::throw_misuse("a green context of device ", wanted.ordinal(), " cannot have ", resource, " of device ",
                         actual.ordinal(), ": call resources() of its own device");
}

std::vector<driver::CUdevResource> natives_of(Device device, const GreenContextOptions& options) {
    std::vector<driver::CUdevResource> natives;
    for (const SmResource& each : options.sm) {
        check_device(device, each.device(), "SMs");
        if (each.is_empty()) {
            detail::throw_misuse(
                "a green context cannot have an empty SmResource: check is_empty() of the remainder of a split first");
        }
        natives.push_back(each.native());
    }
    if (!options.workqueue.is_empty()) {
        check_device(device, options.workqueue.device(), "work queues");
        natives.push_back(options.workqueue.native());
    }
    if (natives.empty()) {
        detail::throw_misuse(
            "a green context needs resources: GreenContextOptions::sm is empty, and so is workqueue. "
            "Device::resources().sm() returns all SMs of the device");
    }
    return natives;
}

GreenContextRef create(Device device, const GreenContextOptions& options) {
    std::vector<driver::CUdevResource> natives = natives_of(device, options);
    detail::require_release("GreenContext", 12040);
    auto state = std::make_shared<detail::GreenContextState>(device);
    // The driver has no function that destroys a description.
    const auto described = driver::cuDevResourceGenerateDesc(natives.data(), static_cast<unsigned int>(natives.size()));
    if (!described.ok()) {
        const bool is_refused = described.status == driver::CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
        detail::throw_with_advice(
            {described.status},
            is_refused ? "Several SM resources of a green context must be disjoint results of one split." : "");
    }
    const driver::CUgreenCtx handle =
        check(driver::cuGreenCtxCreate(described.value, device.native_handle(), driver::CU_GREEN_CTX_DEFAULT_STREAM));
    try {
        return detail::GreenContextState::own(std::move(state), handle, check(driver::cuCtxFromGreenCtx(handle)));
    } catch (...) {
        detail::report_unless_released(driver::cuGreenCtxDestroy(handle), "destroy a green context", handle);
        throw;
    }
}

}  // namespace

GreenContext::GreenContext(Device device, const SmResource& sm) : GreenContext(device, GreenContextOptions{.sm = {sm}}) {}

GreenContext::GreenContext(Device device, const GreenContextOptions& options) : Owner(create(device, options)) {}

GreenContext GreenContext::from_native_handle(Handle handle) {
    if (handle == nullptr) detail::throw_misuse("a null handle is not a green context");
    const ContextRef context = GreenContextRef(handle).context();
    auto state = std::make_shared<detail::GreenContextState>(context.device());
    return GreenContext(detail::GreenContextState::own(std::move(state), handle, context));
}

}  // namespace CUBIND_NAMESPACE
