// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <condition_variable>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

namespace CUBIND_NAMESPACE::sim {

class WorkQueue;

/// The threads that perform the work of all queues of the process. A queue has a thread only while it has work, so the number
/// of threads is that of the streams that are busy at the same time. Thread-safe.
class Workers {
public:
    /// Returns the threads of the process. They are never destroyed, because they may outlive main().
    static Workers& instance();

    /// Lets a thread call queue->run(). Returns false if no thread can be had.
    bool assign(std::shared_ptr<WorkQueue> queue);

    /// Ends all threads and waits for their ends. No queue may have work.
    void stop();

private:
    using Threads = std::list<std::thread>;

    /// Starts a thread that begins with `queue`. Returns false if no thread can be had.
    bool start(std::shared_ptr<WorkQueue> queue);
    void run(Threads::iterator self, std::shared_ptr<WorkQueue> queue);
    /// Waits for the next queue. Returns null if the thread is to end.
    std::shared_ptr<WorkQueue> next_queue();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<WorkQueue>> assigned_;  ///< for idle threads, of which there are at least as many
    std::size_t idle_ = 0;
    bool is_stopping_ = false;
    Threads running_;
    Threads ended_;  ///< to be joined
};

}  // namespace CUBIND_NAMESPACE::sim
