// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>

#include <optional>

namespace CUBIND_NAMESPACE::math::detail {

/// The order of calls that use one thing on the device, such as the memory of a plan: the work of a call begins after that of the
/// call before it, even if they use different streams. A stream that other code owns must exist until the plan uses another one.
/// Not thread-safe.
class CUBIND_EXPORT CallOrder {
public:
    /// Makes the stream wait for the latest call's work if that used another stream, and notes the stream. Returns whether it is
    /// another one. The stream must not be captured. Throws std::invalid_argument, which names the operation, if the latest
    /// stream is captured now: a wait would join the capture.
    bool follow(const char* operation, StreamRef stream);
    /// Notes the stream without waiting, because the thing is new.
    void begin(StreamRef stream);

    /// Returns the stream of the latest call. Returns std::nullopt if there was no call, or if its stream has ended.
    [[nodiscard]] std::optional<StreamRef> latest() const;
    /// Returns whether the latest call used another stream, which is captured now, so that follow() would throw.
    [[nodiscard]] bool is_latest_captured(StreamRef stream) const;
    /// Returns whether the context of the latest call's stream has ended, and with it what libraries had in it.
    [[nodiscard]] bool has_ended() const noexcept;

    /// Records an event after the work of the latest call. Returns std::nullopt if there was no call, or if its stream has ended
    /// or is captured now.
    [[nodiscard]] std::optional<Event> record() const;

private:
    bool is_used_ = false;
    driver::CUstream latest_ = nullptr;
    cubind::detail::StreamUser user_;  // retains the stream if cubind owns it
};

/// Returns whether work that is submitted to the stream is captured into a graph.
[[nodiscard]] CUBIND_EXPORT bool is_captured(StreamRef stream);

}  // namespace CUBIND_NAMESPACE::math::detail
