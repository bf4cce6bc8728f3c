// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/unsafe_call.hpp"

#include <algorithm>

#include "graph/capture/capture.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

struct ThreadMode {
    unsigned long machine = 0;  ///< serial of the machine that the mode belongs to
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
};

thread_local ThreadMode mode_of_thread;

// Checks whether a call of this thread that could wait for streams is forbidden by the capture.
bool is_call_forbidden(const Capture& capture, CUstreamCaptureMode mode) {
    if (mode == CU_STREAM_CAPTURE_MODE_RELAXED || capture.mode == CU_STREAM_CAPTURE_MODE_RELAXED) return false;
    if (capture.thread == std::this_thread::get_id()) return true;
    return mode == CU_STREAM_CAPTURE_MODE_GLOBAL && capture.mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

template <class Selects>
CUresult refuse_if(Selects selects) {
    GraphStore& store = machine().graph_store;
    const std::lock_guard lock(store.mutex);
    CUresult status = CUDA_SUCCESS;
    for (const auto& capture : store.captures) {
        if (!selects(*capture)) continue;
        invalidate(*capture);
        status = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return status;
}

}  // namespace

CUstreamCaptureMode& thread_capture_mode() {
    if (mode_of_thread.machine != machine().serial) mode_of_thread = {machine().serial, CU_STREAM_CAPTURE_MODE_GLOBAL};
    return mode_of_thread.mode;
}

CUresult refuse_unsafe_call() {
    const CUstreamCaptureMode mode = thread_capture_mode();
    return refuse_if([&](const Capture& capture) { return is_call_forbidden(capture, mode); });
}

// Captures of streams of a green context that has ended do not matter.
CUresult check_context_wait(const Context& context) {
    if (!machine().graph_store.has_captures.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
    const auto is_affected = [&](const auto& entry) {
        const Stream& stream = *entry.first;
        return stream.context.get() == &context && (stream.green == nullptr || stream.green->is_alive());
    };
    return refuse_if([&](const Capture& capture) { return std::ranges::any_of(capture.members, is_affected); });
}

}  // namespace CUBIND_NAMESPACE::sim
