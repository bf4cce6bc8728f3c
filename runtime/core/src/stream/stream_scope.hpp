// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/detail/stream_access.hpp>
#include <cubind/core/stream.hpp>

#include <optional>

namespace cubind::detail {

/// Makes the stream's context the current one while it lives, for calls that go by that although they name a stream. A default stream means
/// the current context as it is.
class [[nodiscard]] StreamScope {
public:
    explicit StreamScope(StreamRef stream) {
        if (const StreamState* const owned = StreamAccess::state(stream)) {
            scope_.emplace(owned->context());
        } else if (!stream.is_default()) {
            scope_.emplace(stream.context());
        }
    }

private:
    std::optional<ScopedContext> scope_;
};

}  // namespace cubind::detail
