// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/stream/green_context.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/green_context.hpp>
#include <cubind/driver/stream.hpp>

#include <memory>

#include "calls/driver.hpp"
#include "calls/required_release.hpp"
#include "lifetime/known_contexts.hpp"
#include "stream/green_context_state.hpp"
#include "stream/stream_priority.hpp"

namespace CUBIND_NAMESPACE {
namespace {

// Owns a stream in a green context that cubind owns. Does not mark the stream as a stream of the primary context, because drivers
// may not recognize it after that context was reset.
detail::StreamState* own(driver::CUstream handle, ContextRef context, detail::GreenContextState& green) {
    auto use = std::make_unique<detail::GreenContextUse>(green);
    auto* const state = new detail::StreamState(handle, context.native_handle(), false, use.get());
    (void)use.release();
    return state;
}

detail::StreamState* create(GreenContextRef green, const StreamOptions& options) {
    const driver::CUgreenCtx green_handle = green.native_handle();
    if (!options.nonblocking) {
        detail::throw_misuse("a stream in a green context must be nonblocking: StreamOptions::nonblocking is false");
    }
    detail::require_release("a stream in a green context", 12050);
    const ContextRef context = green.context();
    if (options.priority != 0) detail::check_priority(green.device().primary_context(), options.priority);
    const driver::CUstream handle =
        check(driver::cuGreenCtxStreamCreate(green_handle, driver::CU_STREAM_NON_BLOCKING, options.priority));
    try {
        detail::GreenContextState* const owned = detail::GreenContextState::of(green);
        return owned != nullptr ? own(handle, context, *owned) : detail::own_stream(handle, context.native_handle());
    } catch (...) {
        detail::report_unless_released(driver::cuStreamDestroy(handle), "destroy a stream", handle);
        throw;
    }
}

}  // namespace

Stream::Stream(GreenContextRef context, const StreamOptions& options)
    : Owner(detail::StreamAccess::view(create(context, options))) {}

GreenContextRef StreamRef::green_context() const {
    const detail::StreamState* const owned = detail::StreamAccess::state(*this);
    if (owned != nullptr && owned->green_context() != nullptr) return owned->green_context()->state->view();
    const Handle handle = checked_handle();
    detail::require_release("StreamRef::green_context()", 12040);
    return check(driver::cuStreamGetGreenCtx(handle));
}

}  // namespace CUBIND_NAMESPACE
