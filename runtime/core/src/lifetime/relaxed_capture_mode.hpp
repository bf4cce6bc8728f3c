// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <atomic>
#include <optional>

namespace CUBIND_NAMESPACE::detail {

/// Sets the calling thread's capture mode to relaxed for the lifetime of the object, so that calls neither fail because another
/// stream is capturing nor invalidate that capture. It is meant for setup calls that do not depend on a stream
/// (cuThreadExchangeStreamCaptureMode).
class [[nodiscard]] CUBIND_EXPORT RelaxedCaptureMode {
public:
    RelaxedCaptureMode() noexcept;
    RelaxedCaptureMode(const RelaxedCaptureMode&) = delete;
    RelaxedCaptureMode& operator=(const RelaxedCaptureMode&) = delete;
    ~RelaxedCaptureMode();

private:
    bool is_set_;
    driver::CUstreamCaptureMode before_{};
};

/// The number of GraphBuilders' captures in progress.
extern std::atomic<int> active_captures;

/// Sets the relaxed mode only while a GraphBuilder captures; otherwise it costs one atomic load, so it is meant for fast calls.
/// If a capture begins between that load and the driver call, the call can still be rejected, like any call that does not
/// change the mode.
class [[nodiscard]] RelaxedWhileCapturing {
public:
    RelaxedWhileCapturing() noexcept {
        if (active_captures.load(std::memory_order_relaxed) != 0) [[unlikely]]
            mode_.emplace();
    }

private:
    std::optional<RelaxedCaptureMode> mode_;
};

}  // namespace CUBIND_NAMESPACE::detail
