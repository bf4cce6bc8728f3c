// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A stream, found by its handle. Special handles denote default streams of the current context.
class StreamCheck {
public:
    explicit StreamCheck(driver::CUstream handle, InHostFunction in_host_function = InHostFunction::refused);

    bool failed() const noexcept { return status != driver::CUDA_SUCCESS; }
    Stream* operator->() const noexcept { return stream.get(); }
    Stream& operator*() const noexcept { return *stream; }

    /// Submits work to the stream, see StreamOrder::submit().
    driver::CUresult submit(WorkQueue::Work work, std::vector<Ticket> prerequisites = {}, Ticket* ticket = nullptr) const {
        return stream->context->order.submit(*stream, std::move(work), std::move(prerequisites), ticket);
    }
    /// Checks whether work must be captured instead of submitted.
    bool is_captured() const noexcept { return stream->is_captured.load(std::memory_order_relaxed); }
    bool is_idle() const { return stream->context->order.is_idle(*stream); }
    void wait() const { stream->context->order.wait(*stream); }
    /// Returns the stream's green context, or null. A default stream has the current green context.
    std::shared_ptr<GreenContext> green() const { return stream->handle != nullptr ? stream->green : current_green(); }
    /// Returns the handle of the stream's context, which may be a green context.
    driver::CUcontext context_handle() const {
        const auto found = green();
        return found != nullptr ? found->view : stream->context->handle;
    }
    /// Returns the fault of the stream's device.
    driver::CUresult fault() const noexcept { return stream->context->device.fault(); }

    driver::CUresult status;
    bool is_detached = false;  ///< whether the stream's green context has ended and the stream can only be destroyed
    std::shared_ptr<Stream> stream;
};

}  // namespace CUBIND_NAMESPACE::sim
