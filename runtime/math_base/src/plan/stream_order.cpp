// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/stream_order.hpp"

#include <cubind/core/stream/detail/stream_access.hpp>

namespace CUBIND_NAMESPACE::math::detail {

using cubind::detail::StreamAccess;
using cubind::detail::StreamUser;

bool StreamOrder::follow(StreamRef stream) {
    if (StreamAccess::handle(stream) == last_) return false;
    if (!has_ended()) stream.wait(last_user_.get() == nullptr ? StreamRef(last_) : StreamAccess::view(last_user_.get()));
    begin(stream);
    return true;
}

void StreamOrder::begin(StreamRef stream) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    if (handle == last_) return;
    last_ = handle;
    last_user_ = StreamUser(StreamAccess::state(stream));
}

bool StreamOrder::has_ended() const noexcept {
    const auto* const owned = last_user_.get();
    return owned != nullptr && owned->has_ended();
}

}  // namespace CUBIND_NAMESPACE::math::detail
