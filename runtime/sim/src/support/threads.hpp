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

/// The threads of the process that run streams and the blocks of kernels. A task never waits for a thread: it gets an idle one,
/// or a new one. So tasks may wait for each other. A thread that has no task remains for later ones. Thread-safe.
class Threads {
public:
    using Task = std::function<void()>;

    /// Returns the threads of the process. They are never destroyed, because they may outlive main(). A process that fork()
    /// created has others than its parent.
    static Threads& instance();

    /// Lets a thread run `task`, which must not throw. Returns false if no thread can be had. Until stop() returns, dlclose()
    /// does not unload the library that contains this code, because threads execute it.
    bool start(Task task);

    /// Ends all threads and waits for their ends. No task may run that does not end by itself.
    void stop();

private:
    using List = std::list<std::thread>;

    /// Creates a thread that begins with `task`. Returns false if no thread can be had.
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
    /// Lets up to `count` threads call `work`, which must not throw. There are fewer, or none, if no more can be had.
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
