// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <atomic>
#include <optional>

namespace cubind::detail {

/// While it lives, calls of this thread neither fail because some other stream is captured nor spoil that capture: for setting things up,
/// whose calls have nothing to do with streams (cuThreadExchangeStreamCaptureMode).
class [[nodiscard]] RelaxedCaptureMode {
public:
    RelaxedCaptureMode() noexcept;
    RelaxedCaptureMode(const RelaxedCaptureMode&) = delete;
    RelaxedCaptureMode& operator=(const RelaxedCaptureMode&) = delete;
    ~RelaxedCaptureMode();

private:
    driver::CUstreamCaptureMode before_;
};

/// How many captures of GraphBuilders are under way.
inline std::atomic<int> captures_under_way{0};

/// The same where a GraphBuilder captures; elsewhere it costs a look. For calls that are too fast for more: what has looked, but not called
/// yet, as a capture begins is as any call that knows nothing of captures.
class [[nodiscard]] RelaxedWhileCapturing {
public:
    RelaxedWhileCapturing() noexcept {
        if (captures_under_way.load(std::memory_order_relaxed) != 0) [[unlikely]] mode_.emplace();
    }

private:
    std::optional<RelaxedCaptureMode> mode_;
};

}  // namespace cubind::detail
