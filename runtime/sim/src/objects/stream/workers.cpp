// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/stream/workers.hpp"

#include <system_error>

#include "objects/stream/work_queue.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Starting a thread takes longer than a call, so a few remain for later work.
constexpr std::size_t max_idle = 16;

}  // namespace

Workers& Workers::instance() {
    static Workers& all = *new Workers;
    return all;
}

bool Workers::assign(std::shared_ptr<WorkQueue> queue) {
    Threads ended;
    bool is_assigned = true;
    {
        const std::lock_guard lock(mutex_);
        ended.swap(ended_);
        if (idle_ > assigned_.size()) {
            assigned_.push_back(std::move(queue));
            changed_.notify_one();
        } else {
            is_assigned = start(std::move(queue));
        }
    }
    for (std::thread& each : ended) each.join();
    return is_assigned;
}

bool Workers::start(std::shared_ptr<WorkQueue> queue) {
    running_.emplace_back();
    const auto self = std::prev(running_.end());
    try {
        *self = std::thread([this, self, queue = std::move(queue)]() mutable { run(self, std::move(queue)); });
        return true;
    } catch (const std::system_error&) {
        running_.erase(self);
        return false;
    } catch (...) {
        running_.erase(self);
        throw;
    }
}

void Workers::run(Threads::iterator self, std::shared_ptr<WorkQueue> queue) {
    while (queue != nullptr) {
        queue->run();
        queue = nullptr;
        queue = next_queue();
    }
    const std::lock_guard lock(mutex_);
    ended_.splice(ended_.end(), running_, self);
    changed_.notify_all();
}

std::shared_ptr<WorkQueue> Workers::next_queue() {
    std::unique_lock lock(mutex_);
    if (idle_ == max_idle) return nullptr;
    ++idle_;
    changed_.wait(lock, [&] { return is_stopping_ || !assigned_.empty(); });
    --idle_;
    if (assigned_.empty()) return nullptr;
    std::shared_ptr<WorkQueue> queue = std::move(assigned_.front());
    assigned_.pop_front();
    return queue;
}

void Workers::stop() {
    std::unique_lock lock(mutex_);
    is_stopping_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return running_.empty(); });
    is_stopping_ = false;
    Threads ended;
    ended.swap(ended_);
    lock.unlock();
    for (std::thread& each : ended) each.join();
}

}  // namespace CUBIND_NAMESPACE::sim
