// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/call_order.hpp"

#include <cubind/core/stream/detail/stream_access.hpp>

namespace CUBIND_NAMESPACE::math::detail {

using cubind::detail::StreamAccess;
using cubind::detail::StreamUser;

std::optional<StreamRef> CallOrder::latest() const {
    if (!is_used_) return std::nullopt;
    auto* const owned = user_.get();
    if (owned == nullptr) return StreamRef(latest_);
    if (owned->may_have_ended() && owned->has_ended()) return std::nullopt;
    return StreamAccess::view(owned);
}

void CallOrder::follow(StreamRef stream) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    if (is_used_ && handle == latest_) [[likely]]
        return;
    if (const auto before = latest()) stream.wait(*before);
    user_ = StreamUser(StreamAccess::state(stream));
    latest_ = handle;
    is_used_ = true;
}

std::optional<Event> CallOrder::record() const {
    const auto stream = latest();
    if (!stream) return std::nullopt;
    return stream->record();
}

}  // namespace CUBIND_NAMESPACE::math::detail
