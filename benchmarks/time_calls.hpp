// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

/// Times calls that enqueue work on a device. The calls run in batches that fit into the queue of the device, so that no call
/// blocks. `wait()` waits for a batch and is not timed.
template <class Wait, class Call>
void time_calls(benchmark::State& state, Wait wait, Call call) {
    constexpr int batch = 256;
    while (state.KeepRunningBatch(batch)) {
        for (int done = 0; done < batch; ++done) call();
        state.PauseTiming();
        wait();
        state.ResumeTiming();
    }
}
