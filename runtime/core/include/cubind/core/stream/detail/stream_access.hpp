// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/stream_state.hpp>
#include <cubind/core/stream/stream.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Access to the state that a StreamRef stores beside the native handle. Only cubind's own headers and sources use it.
struct StreamAccess {
    /// Returns the native handle, which the caller must not pass to other code. Throws std::invalid_argument for an empty
    /// stream.
    static StreamRef::Handle handle(StreamRef stream) { return stream.checked_handle(); }

    /// Returns whether the stream may be capturing: it belongs to a GraphBuilder that is building, or other code has its handle.
    static bool may_be_capturing(StreamRef stream) noexcept {
        const StreamState* const state = stream.state_;
        if (state != nullptr) return state->retainer() != nullptr || state->is_exposed();
        return !stream.is_default() || stream == StreamRef::per_thread_default();
    }

    /// Returns the state that all views of an owned stream share; nullptr for a stream that cubind does not own.
    static StreamState* state(StreamRef stream) noexcept { return stream.state_; }

    /// Returns the retainer of the capture, if the stream belongs to a GraphBuilder that is building; else nullptr.
    static Retainer* retainer(StreamRef stream) noexcept {
        return stream.state_ == nullptr ? nullptr : stream.state_->retainer();
    }

    /// Returns a view of an owned stream that shares its state.
    static StreamRef view(StreamState* state) noexcept {
        StreamRef stream = state->handle();
        stream.state_ = state;
        return stream;
    }
};

}  // namespace CUBIND_NAMESPACE::detail
