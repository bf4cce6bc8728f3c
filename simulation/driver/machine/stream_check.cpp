// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/stream_check.hpp"

#include "machine/per_thread_default_stream.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

StreamCheck::StreamCheck(CUstream handle, InHostFunction in_host_function) : status(check_initialized(in_host_function)) {
    if (status != CUDA_SUCCESS) return;
    const auto value = reinterpret_cast<std::uintptr_t>(handle);
    constexpr std::uintptr_t legacy = 1;
    constexpr std::uintptr_t per_thread = 2;
    if (value > per_thread) {
        stream = machine().streams.find(handle);
        if (stream == nullptr) {
            status = CUDA_ERROR_INVALID_HANDLE;
        } else if (!stream->context->is_alive()) {
            status = CUDA_ERROR_CONTEXT_IS_DESTROYED;
        } else if (stream->green != nullptr && !stream->green->is_alive()) {
            constexpr int first_release_of_status = 13010;
            is_detached = machine().release >= first_release_of_status;
            status = is_detached ? CUDA_ERROR_STREAM_DETACHED : CUDA_ERROR_CONTEXT_IS_DESTROYED;
        } else {
            status = fault();
        }
        return;
    }
    const CurrentCheck current;
    status = current.status;
    if (current.failed()) return;
    const bool is_per_thread = value == per_thread || (value != legacy && PerThreadDefaultStream::is_active);
    stream = is_per_thread ? current->order.per_thread() : current->order.legacy();
}

}  // namespace CUBIND_NAMESPACE::sim
