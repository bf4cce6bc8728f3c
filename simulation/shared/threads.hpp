// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

namespace CUBIND_NAMESPACE::sim {

/// The threads of the process that run streams and the blocks of kernels. A task never waits for a thread: an idle or a new
/// thread runs it. So tasks may wait for each other. Idle threads remain for later tasks. Thread-safe.
class Threads {
public:
    using Task = std::function<void()>;

    /// Returns the threads of the process. The object is never destroyed, because threads may outlive main(). A child of fork()
    /// has an object of its own.
    static Threads& instance();

    /// Lets a thread run `task`, which must not throw. Returns false if the system cannot create a thread. Until stop() returns,
    /// dlclose() does not unload the library that contains this code, because threads execute it.
    bool start(Task task);

    /// Ends all threads and waits for them. Each running task must end by itself.
    void stop();

private:
    using List = std::list<std::thread>;

    /// Creates a thread that begins with `task`. Returns false if the system cannot create one.
    bool create(Task task);
    void retain_own_library() noexcept;
    void run(List::iterator self, Task task);
    /// Waits for the next task. Returns an empty one if the thread is to end.
    Task next_task();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> assigned_;  ///< for idle threads, of which there are at least as many
    std::size_t idle_ = 0;
    bool is_stopping_ = false;
    void* own_library_ = nullptr;  ///< reference to the library that contains this code
    List running_;
    List ended_;  ///< to be joined
};

/// Threads that do a piece of work together with the thread that creates the object.
class Helpers {
public:
    /// Lets up to `count` threads call `work`, which must not throw. Fewer threads, or none, call it if the system cannot create
    /// them.
    Helpers(std::uint64_t count, std::function<void()> work);
    /// Waits for the threads that have begun the work. Others do not begin it.
    ~Helpers();
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

private:
    /// Outlives the object until the last thread has found that it is late.
    struct Team {
        std::function<void()> work;
        std::mutex mutex;
        std::condition_variable changed;
        std::uint64_t working = 0;
        bool is_closed = false;
    };
    static void help(Team& team);

    std::shared_ptr<Team> team_;
};

}  // namespace CUBIND_NAMESPACE::sim
