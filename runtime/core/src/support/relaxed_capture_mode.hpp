// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

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

}  // namespace cubind::detail
