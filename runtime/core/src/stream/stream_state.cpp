// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/lifetime/detail/stream_state.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/stream.hpp>

#include "calls/driver.hpp"
#include "device/device_table.hpp"
#include "lifetime/known_contexts.hpp"
#include "stream/green_context_state.hpp"

namespace CUBIND_NAMESPACE {

// ---- the state -----------------------------------------------------------------------------------------------------------

namespace detail {

void StreamState::end() noexcept {
    if (!is_disowned() && !has_ended()) report_unless_released(driver::cuStreamDestroy(handle_), "destroy a stream", handle_);
    delete_this();
}

// The green context may end with its last stream.
void StreamState::delete_this() noexcept {
    delete green_context_;
    delete this;
}

void StreamState::remove_user_or_throw() {
    // If there is only one user, no other thread can add a user, because only a user can add another one.
    const bool is_last = __atomic_load_n(&users_, __ATOMIC_ACQUIRE) == 1 && !is_disowned();
    if (!is_last) return remove_user();
    const auto destroyed = has_ended() ? Result<driver::CUresult>{} : driver::cuStreamDestroy(handle_);
    disown();
    remove_user();
    detail::check_latest(destroyed);
}

StreamState* own_stream(driver::CUstream handle, driver::CUcontext context) {
    note_context(context);
    return new StreamState(handle, context, DeviceTable::get().has_primary(context));
}

bool StreamState::has_ended() const noexcept {
    if (!may_have_ended()) return false;
    return green_context_ != nullptr ? green_context_->state->has_context_ended() : detail::has_ended(context_, first_later_end_);
}

}  // namespace detail

// ---- ownership ----------------------------------------------------------------------------------------------------------

void StreamRef::destroy() const {
    state_->remove_user_or_throw();
}

void StreamRef::destroy_quietly() const noexcept {
    state_->remove_user();
}

StreamRef::Handle StreamRef::release_handle() const noexcept {
    if (state_ == nullptr) return Handle();  // empty
    state_->disown();
    state_->remove_user();
    return handle_;
}

}  // namespace CUBIND_NAMESPACE
