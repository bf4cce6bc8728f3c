// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "shared/threads.hpp"

#include <atomic>
#include <dlfcn.h>
#include <link.h>
#include <new>
#include <pthread.h>
#include <signal.h>
#include <system_error>
#include <utility>

namespace CUBIND_NAMESPACE::sim {

namespace {

// Creating a thread takes longer than most work, so idle threads remain, up to this limit.
constexpr std::size_t max_idle = 256;

constinit std::atomic<Threads*> threads_of_process{nullptr};

/// Blocks signals while it exists, so that threads that are created in the meantime never receive them: a signal that a program
/// blocks in its own threads, to wait for it with sigwait(), must not end the process. Signals that the thread itself causes, and
/// signals of profilers, are not blocked.
class SignalBlock {
public:
    SignalBlock() noexcept {
        sigset_t all;
        sigfillset(&all);
        for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPIPE, SIGXFSZ, SIGXCPU, SIGPROF}) {
            sigdelset(&all, each);
        }
        pthread_sigmask(SIG_BLOCK, &all, &previous_);
    }
    ~SignalBlock() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }
    SignalBlock(const SignalBlock&) = delete;
    SignalBlock& operator=(const SignalBlock&) = delete;

private:
    sigset_t previous_;
};

// The threads of the parent process, so that leak checkers find the object reachable.
constinit std::atomic<Threads*> threads_of_parent{nullptr};

}  // namespace

Threads& Threads::instance() {
    Threads* found = threads_of_process.load(std::memory_order_acquire);
    if (found != nullptr) [[likely]]
        return *found;
    // The threads of the parent do not exist in its child, and one of them may have held the lock.
    static const int status =
        ::pthread_atfork(nullptr, nullptr, [] { threads_of_parent = threads_of_process.exchange(nullptr); });
    static_cast<void>(status);
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
    if (own_library_ != nullptr) return;
    Dl_info info{};
    link_map* map = nullptr;
    const int is_found = ::dladdr1(&threads_of_process, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
    const bool is_program = is_found == 0 || map == nullptr || *map->l_name == '\0';
    if (!is_program) own_library_ = ::dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
}

bool Threads::create(Task task) {
    retain_own_library();
    running_.emplace_back();
    const auto self = std::prev(running_.end());
    try {
        const SignalBlock block;
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
    if (library != nullptr) ::dlclose(library);  // the caller executes code of the library, so it remains loaded
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
