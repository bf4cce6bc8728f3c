// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>

#include <gtest/gtest.h>

#include <atomic>

namespace cubind::testing {

/// Blocks a stream until open() is called or the gate is destroyed.
class Gate {
public:
    /// Enqueues a host function that blocks `stream` (cuLaunchHostFunc).
    explicit Gate(driver::CUstream stream) : stream_(stream) {
        EXPECT_EQ(driver::cuLaunchHostFunc(
                      stream, [](void* is_open) { static_cast<std::atomic<bool>*>(is_open)->wait(false); }, &is_open_)
                      .status,
                  driver::CUDA_SUCCESS);
    }
    /// Blocks the stream of a cubind::Stream or cubind::StreamRef.
    template <class Stream>
    requires requires(const Stream& stream) { stream.native_handle(); }
    explicit Gate(const Stream& stream) : Gate(stream.native_handle()) {}
    /// Opens the gate and waits for the work of the stream (cuStreamSynchronize).
    ~Gate() {
        open();
        EXPECT_EQ(driver::cuStreamSynchronize(stream_).status, driver::CUDA_SUCCESS);
    }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void open() {
        is_open_.store(true);
        is_open_.notify_all();
    }

private:
    driver::CUstream stream_;
    std::atomic<bool> is_open_{false};
};

}  // namespace cubind::testing
