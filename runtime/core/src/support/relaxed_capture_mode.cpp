// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/relaxed_capture_mode.hpp"

#include <cubind/driver/stream.hpp>

namespace CUBIND_NAMESPACE::detail {

std::atomic<int> active_captures{0};

// The call fails only for an invalid mode.
RelaxedCaptureMode::RelaxedCaptureMode() noexcept
    : before_(driver::cuThreadExchangeStreamCaptureMode(driver::CU_STREAM_CAPTURE_MODE_RELAXED).value) {}

RelaxedCaptureMode::~RelaxedCaptureMode() {
    (void)driver::cuThreadExchangeStreamCaptureMode(before_);
}

}  // namespace CUBIND_NAMESPACE::detail
