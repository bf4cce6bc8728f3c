// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

/// Times calls that submit work to a device, in batches that the queue has room for and which `wait()` waits for out of the time, so that
/// no call has to wait.
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
