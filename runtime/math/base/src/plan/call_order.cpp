// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/call_order.hpp"

#include <cubind/core/stream/detail/stream_access.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::detail {

using cubind::detail::StreamAccess;
using cubind::detail::StreamUser;

bool is_captured(StreamRef stream) {
    return StreamAccess::may_be_capturing(stream) && stream.is_capturing();
}

std::optional<StreamRef> CallOrder::latest() const {
    if (!is_used_ || has_ended()) return std::nullopt;
    auto* const owned = user_.get();
    return owned == nullptr ? StreamRef(latest_) : StreamAccess::view(owned);
}

bool CallOrder::has_ended() const noexcept {
    const auto* const owned = user_.get();
    return owned != nullptr && owned->may_have_ended() && owned->has_ended();
}

bool CallOrder::is_latest_captured(StreamRef stream) const {
    if (!is_used_ || StreamAccess::handle(stream) == latest_) return false;
    const auto before = latest();
    return before && is_captured(*before);
}

bool CallOrder::follow(const char* operation, StreamRef stream) {
    if (is_used_ && StreamAccess::handle(stream) == latest_) [[likely]]
        return false;
    if (const auto before = latest()) {
        if (is_captured(*before)) {
            cubind::detail::throw_misuse(operation,
                                         ": the stream of the latest call is captured now, so that this stream cannot wait for "
                                         "its work: end the capture, or use an object for each stream");
        }
        stream.wait(*before);
    }
    begin(stream);
    return true;
}

void CallOrder::begin(StreamRef stream) {
    user_ = StreamUser(StreamAccess::state(stream));
    latest_ = StreamAccess::handle(stream);
    is_used_ = true;
}

std::optional<Event> CallOrder::record() const {
    const auto stream = latest();
    if (!stream || is_captured(*stream)) return std::nullopt;
    return stream->record();
}

}  // namespace CUBIND_NAMESPACE::math::detail
