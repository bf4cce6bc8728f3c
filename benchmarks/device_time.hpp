// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>

#include <chrono>
#include <memory>
#include <semaphore>

/// Returns the time on the device of one of `repeats` calls, in nanoseconds. The work begins after all calls were submitted,
/// because the host takes longer for small work than the device. `repeats` calls must fit in the queue of the driver, about 1,000
/// launches; otherwise, or if a call waits for the stream, the work begins after 50 ms.
template <class Call>
double device_time(cubind::StreamRef stream, int repeats, Call call) {
    const auto submitted = std::make_shared<std::binary_semaphore>(0);
    stream.launch_host_function([submitted] { (void)submitted->try_acquire_for(std::chrono::milliseconds(50)); });
    const cubind::Event start = stream.record({.timing_enabled = true});
    for (int i = 0; i < repeats; ++i) call();
    const cubind::Event stop = stream.record({.timing_enabled = true});
    submitted->release();
    stop.synchronize();
    return std::chrono::duration<double, std::nano>(stop - start).count() / repeats;
}
