// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/stream_state.hpp>
#include <cubind/core/stream/stream.hpp>

namespace CUBIND_NAMESPACE::math::detail {

/// Orders the work of several streams that uses one thing, such as the memory of a plan. Not thread-safe.
class CUBIND_EXPORT StreamOrder {
public:
    /// Makes the stream wait for the work of the stream that used the thing last, if that is another one. Returns whether it is.
    bool follow(StreamRef stream);
    /// Begins with a stream, because the thing is new.
    void begin(StreamRef stream);

    /// Returns whether the context of the stream that used the thing last has ended, and with it what libraries had in it.
    [[nodiscard]] bool has_ended() const noexcept;

private:
    driver::CUstream last_ = nullptr;
    cubind::detail::StreamUser last_user_;  // retains the stream's state if cubind owns it
};

}  // namespace CUBIND_NAMESPACE::math::detail
