// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/symbols.hpp"
#include "support/observe.hpp"

namespace CUBIND_NAMESPACE::sim {

void ObservedCall::begin(std::size_t index) noexcept {
    static constinit std::atomic<std::uint32_t> last{0};
    number_ = last.fetch_add(1, std::memory_order_relaxed) + 1;
    if (number_ == 0) number_ = last.fetch_add(1, std::memory_order_relaxed) + 1;
    name_ = all_symbols().begin()[index].name;
    outer_ = std::exchange(observed_origin.call, number_);
    start_ = activity_time();
    if (const SimulatedObserver* const present = observer.load(std::memory_order_acquire)) present->call_begins(name_, number_);
}

void ObservedCall::end() noexcept {
    observed_origin.call = outer_;
    const SimulatedObserver* const present = observer.load(std::memory_order_acquire);
    if (present == nullptr) return;
    SimulatedActivity activity{};
    activity.kind = ActivityKind::call;
    activity.call = number_;
    activity.name = name_;
    activity.start = start_;
    activity.end = activity_time();
    activity.result = static_cast<std::uint32_t>(status);
    present->ended(activity);
}

}  // namespace CUBIND_NAMESPACE::sim
