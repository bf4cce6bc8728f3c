// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/stream_state.hpp>
#include <cubind/core/stream.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Access to what a StreamRef stores beside the native handle. Only cubind's own headers and sources use it.
struct StreamAccess {
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
