// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "lifetime/relaxed_capture_mode.hpp"

#include <cubind/detail/host_function.hpp>
#include <cubind/driver/stream.hpp>

#include "lifetime/deferred.hpp"

namespace CUBIND_NAMESPACE::detail {

std::atomic<int> active_captures{0};

// Host functions must not call CUDA. Elsewhere the call fails only for an invalid mode.
RelaxedCaptureMode::RelaxedCaptureMode() noexcept : is_set_(!is_in_host_function()) {
    if (is_set_) before_ = driver::cuThreadExchangeStreamCaptureMode(driver::CU_STREAM_CAPTURE_MODE_RELAXED).value;
}

RelaxedCaptureMode::~RelaxedCaptureMode() {
    if (is_set_) (void)driver::cuThreadExchangeStreamCaptureMode(before_);
}

}  // namespace CUBIND_NAMESPACE::detail
