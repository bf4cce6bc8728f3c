// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <map>
#include <memory>
#include <thread>
#include <unordered_map>

#include "objects/stream/work_queue.hpp"

namespace CUBIND_NAMESPACE::sim {

class Context;
class Stream;

/// The streams of one context, and the waits between them. Work of the legacy default stream waits for all work that
/// was submitted to blocking streams before, and vice versa. Thread-safe.
class StreamOrder {
public:
    explicit StreamOrder(Context& context);

    /// Returns the legacy default stream.
    const std::shared_ptr<Stream>& legacy() const noexcept { return legacy_; }
    /// Returns the calling thread's default stream. A later thread with the same ID continues to use it.
    std::shared_ptr<Stream> per_thread();

    /// Returns all streams, with the default streams.
    std::vector<std::shared_ptr<Stream>> streams() const;

    /// Adds a stream.
    void add(const std::shared_ptr<Stream>& stream);
    /// Removes a stream once its work is done. Needs no memory, because the handle of the stream does not exist any longer.
    void remove(const Stream& stream) noexcept;

    /// Submits `work`, which the stream's thread performs in order. If `ticket` is not null, it can be used to wait for the work.
    /// Submits nothing and returns CUDA_ERROR_CONTEXT_IS_DESTROYED if the context has ended, and CUDA_ERROR_OPERATING_SYSTEM if
    /// the system cannot create a thread.
    driver::CUresult submit(Stream& stream, WorkQueue::Work work, std::vector<Ticket> prerequisites = {},
                            Ticket* ticket = nullptr);
    /// Waits until the stream could start new work, and performs `work` on the calling thread.
    template <class Work>
    void run(Stream& stream, const Work& work) {
        wait(stream);
        const ObservedOriginScope origin({observed_origin.call, place_of(stream)});
        work();
    }
    /// Checks whether work submitted to the stream now could start immediately.
    bool is_idle(const Stream& stream) const;
    /// Checks whether all work of all streams is done.
    bool is_idle() const;
    /// Waits for the work that is_idle(stream) checks.
    void wait(const Stream& stream) const;
    /// Waits for all work of all streams.
    void wait() const;
    /// Waits for all work of a context that has ended. Work that is submitted concurrently is either waited for or
    /// rejected.
    void finish() const;
    /// Removes all streams but the legacy default stream. They must not have any work left.
    void close();

private:
    static const WorkPlace& place_of(const Stream& stream) noexcept;
    /// Returns the tickets that work submitted to the stream now would wait for.
    std::vector<Ticket> pending_tickets(const Stream& stream) const;
    /// Returns the tickets of all work that is not done.
    std::vector<Ticket> pending_tickets() const;
    /// Returns the ticket of any work that is not done, or one without progress if all is done. Allocates nothing.
    Ticket next_pending() const;
    /// Returns the tickets of other streams that work submitted to the stream now would wait for.
    std::vector<Ticket> barriers(const Stream& stream) const;

    const std::shared_ptr<Context> context_;
    const std::shared_ptr<Stream> legacy_;
    mutable std::mutex mutex_;
    std::unordered_map<const Stream*, std::shared_ptr<Stream>> streams_;  ///< all streams but the legacy default stream
    static constexpr std::size_t min_destroyed_limit = 16;
    std::vector<const Stream*> destroyed_;  ///< streams that were destroyed while they had work
    std::size_t destroyed_limit_ = min_destroyed_limit;
    std::map<std::thread::id, std::shared_ptr<Stream>> per_thread_;
};

}  // namespace CUBIND_NAMESPACE::sim
