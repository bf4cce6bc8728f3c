// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include "calls/driver.hpp"
#include "errors/misuse.hpp"
#include "lifetime/running_captures.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Checks a call that waits for all streams of a context, or lets them wait. If a stream is being captured, the call has made
/// that capture invalid, and the error names the stream. `context()` returns the context, and is called only for this error.
template <class Context>
void check_context_wait(Result<driver::CUresult> waited, const Context& context) {
    if (waited.status == driver::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) {
        throw_with_advice({waited.status}, concat("The call concerns all streams of the context, and has made a capture invalid, "
                                                  "whatever its mode is: ",
                                                  describe_capture(context()),
                                                  ". Wait for streams or events instead of the context while work is captured."));
    }
    check_latest(waited);
}

}  // namespace CUBIND_NAMESPACE::detail
