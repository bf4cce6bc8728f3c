// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/check.hpp"

namespace cubind::sim {

/// A stream by its handle, which may be one of those that stand for a default stream of the current context.
class StreamCheck {
public:
    explicit StreamCheck(CUstream handle);

    bool failed() const noexcept { return status != CUDA_SUCCESS; }
    Stream* operator->() const noexcept { return stream.get(); }
    Stream& operator*() const noexcept { return *stream; }

    CUresult submit(WorkQueue::Work work, std::vector<Ticket> prerequisites = {}, Ticket* ticket = nullptr) const {
        return stream->context->order.submit(*stream, std::move(work), std::move(prerequisites), ticket);
    }
    /// Whether a capture decides what becomes of work.
    bool is_captured() const noexcept { return stream->is_captured.load(std::memory_order_relaxed); }
    bool is_idle() const { return stream->context->order.is_idle(*stream); }
    void wait() const { stream->context->order.wait(*stream); }
    /// What the device's work came to.
    CUresult fault() const noexcept { return stream->context->device.fault(); }

    CUresult status;
    std::shared_ptr<Stream> stream;
};

}  // namespace cubind::sim
