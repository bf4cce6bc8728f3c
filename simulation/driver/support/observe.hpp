// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "shared/simulated_activity.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The observer of the process, or null.
extern constinit std::atomic<const SimulatedObserver*> observer;

/// Where work runs, as an observer sees it.
struct WorkPlace {
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
};

/// The call that the thread makes, or that has submitted the work that the thread performs, and the place of the work.
struct ObservedOrigin {
    std::uint32_t call = 0;
    WorkPlace place;
};
extern constinit thread_local ObservedOrigin observed_origin;

/// Sets the origin of what the thread does during the scope.
class ObservedOriginScope {
public:
    explicit ObservedOriginScope(const ObservedOrigin& origin) noexcept : previous_(std::exchange(observed_origin, origin)) {}
    ~ObservedOriginScope() { observed_origin = previous_; }
    ObservedOriginScope(const ObservedOriginScope&) = delete;
    ObservedOriginScope& operator=(const ObservedOriginScope&) = delete;

private:
    const ObservedOrigin previous_;
};

/// The time of activities.
std::uint64_t activity_time() noexcept;

/// A call of a symbol, by its index in all_symbols(), from the constructor to the destructor. Without an observer, it costs a
/// load.
class ObservedCall {
public:
    explicit ObservedCall(std::size_t index) noexcept {
        if (observer.load(std::memory_order_acquire) != nullptr) [[unlikely]]
            begin(index);
    }
    ~ObservedCall() {
        if (number_ != 0) [[unlikely]]
            end();
    }
    ObservedCall(const ObservedCall&) = delete;
    ObservedCall& operator=(const ObservedCall&) = delete;

    driver::CUresult status = driver::CUDA_SUCCESS;

private:
    void begin(std::size_t index) noexcept;
    void end() noexcept;

    std::uint32_t number_ = 0;
    std::uint32_t outer_ = 0;
    const char* name_ = nullptr;
    std::uint64_t start_ = 0;
};

/// Performs work on the calling thread. `describe(activity)` fills in what is particular to the work, if it is observed.
template <class Work, class Describe>
void observe_work(ActivityKind kind, const Work& work, const Describe& describe) {
    if (observer.load(std::memory_order_acquire) == nullptr) [[likely]]
        return work();
    SimulatedActivity activity{};
    activity.kind = kind;
    activity.call = observed_origin.call;
    activity.device = observed_origin.place.device;
    activity.context = observed_origin.place.context;
    activity.stream = observed_origin.place.stream;
    activity.start = activity_time();
    work();
    activity.end = activity_time();
    describe(activity);
    if (const SimulatedObserver* const present = observer.load(std::memory_order_acquire)) present->ended(activity);
}

}  // namespace CUBIND_NAMESPACE::sim
