// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>

#include <atomic>
#include <optional>

#include "exhausted_memory.hpp"
#include "sim_test.hpp"

namespace cubind::testing {

/// Limits the allocations of a stream's thread while it performs work.
class StreamExhaustionTest : public SimTest {
protected:
    /// Lets the stream perform what `submit()` submits, with memory for `count` allocations. Returns whether it was exhausted.
    template <class Submit>
    static bool perform_with(long count, CUstream stream, Submit submit) {
        struct Limit {
            long count;
            std::atomic<bool> may_begin{false};
            std::optional<LimitedMemory> memory{};
            bool was_exhausted = false;
        } limit{count};
        const auto begin = [](void* data) {
            auto& each = *static_cast<Limit*>(data);
            each.may_begin.wait(false);  // until all is submitted, so that one thread performs it
            each.memory.emplace(each.count);
        };
        // Unlike a host function, a callback is called after a fault, too.
        const auto end = [](CUstream, CUresult, void* data) {
            auto& each = *static_cast<Limit*>(data);
            each.was_exhausted = each.memory->is_exhausted();
            each.memory.reset();
        };
        EXPECT_EQ(cuLaunchHostFunc(stream, begin, &limit).status, CUDA_SUCCESS);
        submit();
        EXPECT_EQ(cuStreamAddCallback(stream, end, &limit, 0).status, CUDA_SUCCESS);
        limit.may_begin = true;
        limit.may_begin.notify_all();
        (void)cuStreamSynchronize(stream);
        return limit.was_exhausted;
    }
};

}  // namespace cubind::testing
