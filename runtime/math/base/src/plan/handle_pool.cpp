// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/handle_pool.hpp"

#include <cubind/core/device/context.hpp>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include "lifetime/known_contexts.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

/// A handle that waits for a call.
struct Entry {
    driver::CUcontext context;
    driver::CUstream stream;
    void* handle;
    unsigned int ended_before;  // the contexts that had ended when the latest call began
};

}  // namespace

struct IdleHandles::State {
    std::mutex mutex;
    std::vector<Entry> entries;  // in the order of their latest use
    void (*destroy)(void* handle) noexcept = nullptr;
};

IdleHandles::IdleHandles(void (*destroy)(void* handle) noexcept) : state_(std::make_unique<State>()) {
    state_->destroy = destroy;
    state_->entries.reserve(capacity);
}

IdleHandles::~IdleHandles() = default;

unsigned int IdleHandles::count_of_ended() noexcept {
    return __atomic_load_n(&cubind::detail::ended_contexts, __ATOMIC_RELAXED);
}

void* IdleHandles::take(driver::CUcontext context, driver::CUstream stream) noexcept {
    const std::lock_guard lock(state_->mutex);
    auto& entries = state_->entries;
    // A handle ends with its context, and the library would use freed memory.
    std::erase_if(entries, [](const Entry& each) {
        return each.ended_before != count_of_ended() && cubind::detail::has_ended(each.context, each.ended_before);
    });
    for (auto each = entries.rbegin(); each != entries.rend(); ++each) {
        if (each->context != context || each->stream != stream) continue;
        void* const handle = each->handle;
        entries.erase(std::next(each).base());
        return handle;
    }
    return nullptr;
}

void IdleHandles::give_back(driver::CUcontext context, driver::CUstream stream, void* handle,
                            unsigned int ended_before) noexcept {
    Entry oldest{};
    {
        const std::lock_guard lock(state_->mutex);
        auto& entries = state_->entries;
        if (entries.size() == capacity) {
            oldest = entries.front();
            entries.erase(entries.begin());
        }
        entries.push_back({context, stream, handle, ended_before});
    }
    if (oldest.handle == nullptr || cubind::detail::has_ended(oldest.context, oldest.ended_before)) return;
    try {
        const ScopedContext scope{ContextRef(oldest.context)};
        state_->destroy(oldest.handle);
    } catch (...) {  // a context of other code that has ended: its handles have, too
    }
}

}  // namespace CUBIND_NAMESPACE::math::detail
