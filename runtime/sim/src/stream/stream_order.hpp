// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <thread>

#include "stream/work_queue.hpp"

#include <cubind/driver/types.hpp>

namespace cubind::sim {

using namespace driver;

class Context;
class Stream;

/// The streams of one context, and who waits for whom: work of the legacy default stream waits for all work submitted before to
/// blocking streams, and theirs for its. Thread-safe.
class StreamOrder {
public:
    explicit StreamOrder(Context& context);

    const std::shared_ptr<Stream>& legacy() const noexcept { return legacy_; }
    /// The calling thread's default stream; a later thread of the same id goes on with it.
    std::shared_ptr<Stream> per_thread();

    void add(const std::shared_ptr<Stream>& stream);
    void remove(const Stream& stream);

    /// Has `work` done on the stream's own thread, in its turn; `ticket`, unless null, is there to wait for it.
    /// CUDA_ERROR_CONTEXT_IS_DESTROYED, and nothing done, once the context has ended.
    CUresult submit(Stream& stream, WorkQueue::Work work, std::vector<Ticket> prerequisites = {}, Ticket* ticket = nullptr);
    /// Waits for the stream's turn and does `work` on the calling thread.
    template <class Work>
    void run(Stream& stream, const Work& work) {
        wait(stream);
        work();
    }
    /// Whether work submitted to the stream now would have nothing to wait for.
    bool is_idle(const Stream& stream) const;
    /// Whether nothing is left to do.
    bool is_idle() const;
    /// Waits for what is_idle() asks about.
    void wait(const Stream& stream) const;
    void wait() const;
    /// Waits for all work of a context that has ended: what others submit meanwhile is either waited for or refused.
    void finish() const;
    /// No stream is expected to have work any more.
    void close();

private:
    /// What work submitted to the stream now would wait for, and is not done yet.
    std::vector<Ticket> pending(const Stream& stream) const;
    /// Everything that is not done yet.
    std::vector<Ticket> pending() const;
    std::vector<Ticket> barriers(const Stream& stream) const;
    void remove_spent();

    const std::shared_ptr<Context> context_;
    const std::shared_ptr<Stream> legacy_;
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<Stream>> streams_;  ///< beside the legacy one
    std::map<std::thread::id, std::shared_ptr<Stream>> per_thread_;
};

}  // namespace cubind::sim
