// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

/// Exhaustion of memory. exhausted_memory.cpp replaces operator new and malloc() of the program that it is linked to, so that a
/// test can choose how many allocations of the calling thread succeed.
namespace cubind::testing {

/// Which allocations fail after those that succeed.
enum class Shortage {
    lasting,    ///< all later ones of operator new
    transient,  ///< one, which may also be of a C library such as the OS loader
};

/// Lets `count` allocations of the calling thread succeed, and lets later ones fail until the end of the object.
class LimitedMemory {
public:
    explicit LimitedMemory(long count, Shortage shortage = Shortage::lasting);
    ~LimitedMemory();
    LimitedMemory(const LimitedMemory&) = delete;
    LimitedMemory& operator=(const LimitedMemory&) = delete;

    /// Returns whether an allocation has failed.
    bool is_exhausted() const;
};

/// Calls `work()` with memory for 0, 1, 2, ... allocations, until a call needs no more. Calls `after(was_exhausted)` after each
/// of these calls, with unlimited memory. Returns the number of calls in which memory was exhausted.
template <class Work, class After>
long exhaust(Work work, After after, Shortage shortage = Shortage::lasting) {
    constexpr long max_count = 10000;
    for (long count = 0; count < max_count; ++count) {
        bool was_exhausted = false;
        {
            const LimitedMemory memory(count, shortage);
            work();
            was_exhausted = memory.is_exhausted();
        }
        after(was_exhausted);
        if (!was_exhausted) return count;
    }
    ADD_FAILURE() << "memory is exhausted in each of " << max_count << " calls";
    return max_count;
}

}  // namespace cubind::testing
