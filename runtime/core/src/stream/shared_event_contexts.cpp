// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "stream/shared_event_contexts.hpp"

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>

#include "lifetime/process_state.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

struct Contexts {
    std::mutex mutex;
    std::map<driver::CUevent, driver::CUcontext> of_events;  // guarded by mutex
};

std::atomic<std::size_t> event_count{0};

Contexts& contexts() noexcept {
    return ProcessState<Contexts>::get();
}

}  // namespace

void SharedEventContexts::add(driver::CUevent event, ContextRef context) {
    Contexts& all = contexts();
    const std::lock_guard lock(all.mutex);
    all.of_events.insert_or_assign(event, context.native_handle());
    event_count.store(all.of_events.size(), std::memory_order_relaxed);
}

void SharedEventContexts::remove(driver::CUevent event) noexcept {
    if (event_count.load(std::memory_order_relaxed) == 0) return;
    Contexts& all = contexts();
    const std::lock_guard lock(all.mutex);
    all.of_events.erase(event);
    event_count.store(all.of_events.size(), std::memory_order_relaxed);
}

ContextRef SharedEventContexts::find(driver::CUevent event) {
    Contexts& all = contexts();
    const std::lock_guard lock(all.mutex);
    const auto found = all.of_events.find(event);
    return found == all.of_events.end() ? ContextRef() : ContextRef(found->second);
}

}  // namespace CUBIND_NAMESPACE::detail
