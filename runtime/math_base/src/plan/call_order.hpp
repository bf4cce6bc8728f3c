// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>

#include <optional>

namespace CUBIND_NAMESPACE::math::detail {

/// The order of the calls of a plan whose library keeps state on the device: the work of a call begins after that of the call
/// before it, even if they use different streams. A stream that other code owns must exist until the plan uses another one. Not
/// thread-safe.
class CUBIND_EXPORT CallOrder {
public:
    /// Makes the stream wait for the latest call's work if that used another stream, and notes the stream. Captured streams must
    /// not take part.
    void follow(StreamRef stream);

    /// Records an event after the work of the latest call. Returns std::nullopt if there was no call, or if its stream has ended.
    [[nodiscard]] std::optional<Event> record() const;

private:
    [[nodiscard]] std::optional<StreamRef> latest() const;

    bool is_used_ = false;
    driver::CUstream latest_ = nullptr;
    cubind::detail::StreamUser user_;  // retains the stream if cubind owns it
};

}  // namespace CUBIND_NAMESPACE::math::detail
