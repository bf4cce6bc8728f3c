// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "lifetime/known_contexts.hpp"

#include <cubind/driver/context.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/primary_context.hpp>
#include <cubind/substitute.hpp>

#include <algorithm>
#include <mutex>
#include <vector>

#include "lifetime/process_state.hpp"

namespace CUBIND_NAMESPACE::detail {

std::atomic<driver::CUcontext> latest_known_context{nullptr};
unsigned int ended_contexts = 0;

namespace {

struct KnownContexts {
    std::mutex mutex;
    const void* driver = nullptr;
    bool has_ended = false;
    bool is_driver_replaced = false;
    std::vector<driver::CUcontext> contexts;
    std::vector<driver::CUdevice> primaries;
    std::vector<driver::CUcontext> ended;  // in the order in which they ended; a handle may occur more than once
};

// Locks and returns the contexts. Forgets the contexts of a previous simulated driver.
std::pair<KnownContexts&, std::unique_lock<std::mutex>> known_contexts() {
    KnownContexts& known = ProcessState<KnownContexts>::get();
    std::unique_lock lock(known.mutex);
    const void* const driver = current_implementation(driver::library());
    if (known.driver != driver) {
        known.is_driver_replaced = known.driver != nullptr;
        known.driver = driver;
        known.has_ended = false;
        known.contexts.clear();
        known.primaries.clear();
    }
    return {known, std::move(lock)};
}

// Adds a value unless it is in the list. If memory is exhausted, returns false and does not add it. has_context_ended() does not
// detect the end of that context until a later call adds it.
template <class Value>
bool add(std::vector<Value>& values, Value value) noexcept try {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    return true;
} catch (const std::bad_alloc&) {
    return false;
}

void add_ended(KnownContexts& known, driver::CUcontext context) noexcept try {
    known.ended.push_back(context);
    __atomic_store_n(&ended_contexts, static_cast<unsigned int>(known.ended.size()), __ATOMIC_RELAXED);
} catch (const std::bad_alloc&) {
    // has_ended() then relies on the driver to report the end of this context.
}

bool is_destroyed(driver::CUcontext context) {
    const auto status = driver::cuCtxGetApiVersion(context).status;
    return status == driver::CUDA_ERROR_INVALID_CONTEXT || status == driver::CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

bool is_reset(driver::CUdevice device) {
    const auto state = driver::cuDevicePrimaryCtxGetState(device);
    return state.ok() && state.value2 == 0;
}

}  // namespace

void add_known_context(driver::CUcontext context) noexcept {
    const auto [known, lock] = known_contexts();
    if (known.has_ended || add(known.contexts, context)) latest_known_context.store(context, std::memory_order_relaxed);
}

void note_primary_context(driver::CUdevice device) {
    const auto [known, lock] = known_contexts();
    if (!add(known.primaries, device)) throw std::bad_alloc();
}

void note_ended_context(driver::CUcontext context) noexcept {
    const auto [known, lock] = known_contexts();
    known.has_ended = true;
    known.contexts.clear();
    add_ended(known, context);
}

void note_ended_green_context(driver::CUcontext context) noexcept {
    const auto [known, lock] = known_contexts();
    std::erase(known.contexts, context);
    driver::CUcontext latest = context;
    latest_known_context.compare_exchange_strong(latest, nullptr, std::memory_order_relaxed);
    add_ended(known, context);
}

bool has_ended(driver::CUcontext context, unsigned int since) noexcept {
    const auto [known, lock] = known_contexts();
    const auto first = known.ended.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(since, known.ended.size()));
    return std::find(first, known.ended.end(), context) != known.ended.end() || is_destroyed(context);
}

bool has_context_ended() noexcept {
    const auto [known, lock] = known_contexts();
    if (!known.has_ended) {
        known.has_ended = std::any_of(known.contexts.begin(), known.contexts.end(), is_destroyed) ||
                          std::any_of(known.primaries.begin(), known.primaries.end(), is_reset);
    }
    return known.has_ended;
}

bool is_driver_replaced() noexcept {
    const auto [known, lock] = known_contexts();
    return known.is_driver_replaced;
}

}  // namespace CUBIND_NAMESPACE::detail
