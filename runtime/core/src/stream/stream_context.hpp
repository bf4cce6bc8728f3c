// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <optional>
#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Makes the stream's context current for the lifetime of the object, for driver calls that use the current context
/// although they name a stream. For a default stream the current context remains.
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

/// Returns whether the stream is the legacy default stream, which drivers reject in calls for batches.
[[nodiscard]] inline bool is_legacy_default(StreamRef stream) noexcept {
    return stream.is_default() && stream != StreamRef::per_thread_default();
}

/// Returns advice if a call failed because it used a default stream while no context was current; otherwise an empty text.
[[nodiscard]] CUBIND_EXPORT std::string advice_on_context(driver::CUresult failure, StreamRef stream);

}  // namespace CUBIND_NAMESPACE::detail
