// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>

#include <chrono>
#include <memory>
#include <semaphore>

/// Holds back the work that is submitted to a stream, so that events between calls measure the device and not the host, which
/// takes longer to submit small work. The work begins after release(), or after 50 ms if a call waits for the stream, or if the
/// calls do not fit in the queue of the driver, which has about 1,000 launches.
class HeldStream {
public:
    explicit HeldStream(cubind::StreamRef stream) : released_(std::make_shared<std::binary_semaphore>(0)) {
        stream.launch_host_function([released = released_] { (void)released->try_acquire_for(std::chrono::milliseconds(50)); });
    }
    void release() { released_->release(); }

private:
    std::shared_ptr<std::binary_semaphore> released_;
};

/// Returns the time on the device of one of `repeats` calls, in nanoseconds.
template <class Call>
double device_time(cubind::StreamRef stream, int repeats, Call call) {
    HeldStream held(stream);
    const cubind::Event start = stream.record({.timing_enabled = true});
    for (int i = 0; i < repeats; ++i) call();
    const cubind::Event stop = stream.record({.timing_enabled = true});
    held.release();
    stop.synchronize();
    return std::chrono::duration<double, std::nano>(stop - start).count() / repeats;
}
