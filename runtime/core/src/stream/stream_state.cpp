// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "stream/stream_state.hpp"

#include <cubind/driver/stream.hpp>

#include <new>

#include "support/driver.hpp"

namespace cubind {

// ---- the state -----------------------------------------------------------------------------------------------------------

namespace detail {

void StreamState::remove_user() noexcept {
    if (users_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (!is_given_up_.load(std::memory_order_relaxed)) {
        report_unless_released(driver::cuStreamDestroy(handle_), "destroy a stream", handle_);
    }
    delete this;
}

void StreamState::remove_user_or_throw() {
    // Whoever sees itself alone stays alone: others come only from a user.
    if (users_.load(std::memory_order_acquire) == 1 && !is_given_up_.load(std::memory_order_relaxed)) {
        check(driver::cuStreamDestroy(handle_));
        give_up();
    }
    remove_user();
}

StreamState* own_stream(driver::CUstream handle) {
    StreamState* const state = new (std::nothrow) StreamState(handle);
    if (state == nullptr) {
        report_unless_released(driver::cuStreamDestroy(handle), "destroy a stream", handle);
        throw std::bad_alloc();
    }
    return state;
}

}  // namespace detail

// ---- what a view does with it --------------------------------------------------------------------------------------------

StreamRef StreamRef::of(detail::StreamState* state) noexcept {
    StreamRef view = state->handle();
    view.state_ = state;
    return view;
}

detail::Keeper* StreamRef::keeper_of_state() const noexcept {
    return state_->keeper();
}

void StreamRef::destroy() const {
    state_->remove_user_or_throw();
}

void StreamRef::destroy_quietly() const noexcept {
    state_->remove_user();
}

StreamRef::Handle StreamRef::give_up() const noexcept {
    if (state_ == nullptr) return handle_;
    state_->give_up();
    state_->remove_user();
    return handle_;
}

}  // namespace cubind
