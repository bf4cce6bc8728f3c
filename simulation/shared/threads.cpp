// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "shared/threads.hpp"

#include <atomic>
#include <new>
#include <system_error>
#include <utility>

#include "platform/dynamic_library.hpp"
#include "platform/fork_hook.hpp"
#include "platform/thread_signals.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Creating a thread takes longer than most work, so idle threads remain, up to this limit.
constexpr std::size_t max_idle = 256;

constinit std::atomic<Threads*> threads_of_process{nullptr};

// The threads of the parent process, so that leak checkers find the object reachable.
constinit std::atomic<Threads*> threads_of_parent{nullptr};

constinit cubind::detail::StaticForkHook fork_hook;

}  // namespace

Threads& Threads::instance() {
    Threads* found = threads_of_process.load(std::memory_order_acquire);
    if (found != nullptr) [[likely]]
        return *found;
    // The threads of the parent do not exist in its child, and one of them may have held the lock.
    const auto renew = [](void*) noexcept { threads_of_parent = threads_of_process.exchange(nullptr); };
    static const bool is_added =
        (fork_hook.add(cubind::detail::ForkLevel::driver, nullptr, cubind::detail::ForkHook::Actions{.in_child = renew}), true);
    static_cast<void>(is_added);
    auto created = std::make_unique<Threads>();
    if (threads_of_process.compare_exchange_strong(found, created.get(), std::memory_order_acq_rel)) return *created.release();
    return *found;
}

bool Threads::start(Task task) {
    List ended;
    bool is_started = true;
    {
        const std::lock_guard lock(mutex_);
        ended.swap(ended_);
        if (idle_ > assigned_.size()) {
            assigned_.push_back(std::move(task));
            changed_.notify_one();
        } else {
            is_started = create(std::move(task));
        }
    }
    for (std::thread& each : ended) each.join();
    return is_started;
}

void Threads::retain_own_library() noexcept {
    if (own_library_ == nullptr) own_library_ = cubind::detail::find_library_of(&threads_of_process);
}

bool Threads::create(Task task) {
    retain_own_library();
    running_.emplace_back();
    const auto self = std::prev(running_.end());
    try {
        const cubind::detail::ThreadSignalBlock block;
        *self = std::thread([this, self, task = std::move(task)]() mutable { run(self, std::move(task)); });
        return true;
    } catch (const std::system_error&) {
        running_.erase(self);
        return false;
    } catch (...) {
        running_.erase(self);
        throw;
    }
}

void Threads::run(List::iterator self, Task task) {
    while (task) {
        task();
        task = nullptr;
        task = next_task();
    }
    const std::lock_guard lock(mutex_);
    ended_.splice(ended_.end(), running_, self);
    changed_.notify_all();
}

Threads::Task Threads::next_task() {
    std::unique_lock lock(mutex_);
    if (idle_ == max_idle) return nullptr;
    ++idle_;
    changed_.wait(lock, [&] { return is_stopping_ || !assigned_.empty(); });
    --idle_;
    if (assigned_.empty()) return nullptr;
    Task task = std::move(assigned_.front());
    assigned_.pop_front();
    return task;
}

void Threads::stop() {
    std::unique_lock lock(mutex_);
    is_stopping_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return running_.empty(); });
    is_stopping_ = false;
    List ended;
    ended.swap(ended_);
    void* const library = std::exchange(own_library_, nullptr);
    lock.unlock();
    for (std::thread& each : ended) each.join();
    if (library != nullptr)
        cubind::detail::close_library(library);  // the caller executes code of the library, so it remains loaded
}

Helpers::Helpers(std::uint64_t count, std::function<void()> work) {
    if (count == 0) return;
    team_ = std::make_shared<Team>();
    team_->work = std::move(work);
    try {
        for (; count != 0; --count) {
            if (!Threads::instance().start([team = team_] { help(*team); })) return;
        }
    } catch (const std::bad_alloc&) {
        // The threads that have started suffice.
    }
}

void Helpers::help(Team& team) {
    {
        const std::lock_guard lock(team.mutex);
        if (team.is_closed) return;
        ++team.working;
    }
    team.work();
    const std::lock_guard lock(team.mutex);
    if (--team.working == 0) team.changed.notify_all();
}

Helpers::~Helpers() {
    if (team_ == nullptr) return;
    std::unique_lock lock(team_->mutex);
    team_->is_closed = true;
    team_->changed.wait(lock, [&] { return team_->working == 0; });
}

}  // namespace CUBIND_NAMESPACE::sim
