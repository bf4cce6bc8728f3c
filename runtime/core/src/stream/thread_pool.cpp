// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/thread_pool.hpp>

#include <thread>
#include <utility>
#include <vector>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {

struct ThreadPool::State {
    explicit State(std::size_t count) {
        try {
            for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this]() noexcept { loop.run(); });
        } catch (...) {
            loop.finish();
            throw;
        }
    }
    // A forked child has none of the threads, so that it cannot join them.
    ~State() {
        loop.finish();
        if (!loop.is_of_parent()) return;
        for (std::jthread& each : threads) each.detach();
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    RunLoop loop;
    std::vector<std::jthread> threads;  // joined before the loop is destroyed
};

ThreadPool::ThreadPool(std::size_t count) {
    if (count == 0) detail::throw_misuse("a ThreadPool of 0 threads would never call a function: pass at least 1");
    state_ = std::make_unique<State>(count);
}

ThreadPool::~ThreadPool() = default;

void ThreadPool::add(std::unique_ptr<detail::QueuedFunction> function) noexcept {
    state_->loop.add(std::move(function));
}

std::size_t ThreadPool::size() const noexcept {
    return state_->threads.size();
}

}  // namespace CUBIND_NAMESPACE
