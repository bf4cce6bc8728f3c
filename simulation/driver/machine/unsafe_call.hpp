// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Returns the calling thread's capture mode, which determines the captures that forbid its potentially unsafe calls.
driver::CUstreamCaptureMode& thread_capture_mode();

/// Checks a call that may wait for streams. If captures forbid it, invalidates them and returns
/// CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED.
driver::CUresult refuse_unsafe_call();

/// Calls refuse_unsafe_call() if any capture is in progress.
inline driver::CUresult check_unsafe_call() {
    if (!machine().graph_store.has_captures.load(std::memory_order_relaxed)) [[likely]]
        return driver::CUDA_SUCCESS;
    return refuse_unsafe_call();
}

/// Checks a call that waits for a whole context. Any capture with a stream of the context forbids it, whatever the
/// capture modes are: the capture becomes invalid, and the result is CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED.
driver::CUresult check_context_wait(const Context& context);

}  // namespace CUBIND_NAMESPACE::sim
