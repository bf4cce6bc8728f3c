// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <new>

namespace CUBIND_NAMESPACE::layers {

/// Calls that were made but that a layer could not handle completely, because memory was exhausted. Reports the first one, and at
/// the end their number, on the standard error stream. Allocates nothing. Thread-safe.
class Omissions {
public:
    /// `layer` and `consequence` are texts for the reports: "trace", "missing in the trace".
    constexpr Omissions(const char* layer, const char* consequence) noexcept : layer_(layer), consequence_(consequence) {}

    /// Calls `work`. Counts one omission if it throws std::bad_alloc.
    template <class Work>
    void attempt(Work&& work) noexcept {
        try {
            work();
        } catch (const std::bad_alloc&) {
            add();
        }
    }
    unsigned long count() const noexcept { return count_.load(std::memory_order_relaxed); }
    /// Reports the number of omissions if there are any, and sets it to zero.
    void end() noexcept;

private:
    void add() noexcept;

    const char* layer_;
    const char* consequence_;
    std::atomic<unsigned long> count_{0};
};

}  // namespace CUBIND_NAMESPACE::layers
