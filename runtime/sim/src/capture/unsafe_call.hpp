// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"

namespace cubind::sim {

/// How the calling thread deals with calls that could disturb a capture.
CUstreamCaptureMode& thread_capture_mode();

/// CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, and no capture that is disturbed is valid any more, where a call that could wait for
/// streams must not be made while one is captured.
CUresult refuse_unsafe_call();

inline CUresult check_unsafe_call() {
    if (!machine().graph_store.has_captures.load(std::memory_order_relaxed)) [[likely]]
        return CUDA_SUCCESS;
    return refuse_unsafe_call();
}

/// The same for what waits for all of a context, whatever the modes.
CUresult check_context_wait(const Context& context);

}  // namespace cubind::sim
