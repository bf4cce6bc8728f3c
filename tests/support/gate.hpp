// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace cubind::testing {

/// Blocks streams until open() is called or the gate is destroyed.
class Gate {
public:
    /// Creates a gate that blocks no stream; see blocker().
    Gate() = default;
    /// Enqueues a host function that blocks `stream` (cuLaunchHostFunc).
    explicit Gate(driver::CUstream stream) : stream_(stream) {
        EXPECT_EQ(driver::cuLaunchHostFunc(
                      stream, [](void* is_open) { static_cast<std::atomic<bool>*>(is_open)->wait(false); }, is_open_.get())
                      .status,
                  driver::CUDA_SUCCESS);
    }
    /// Blocks the stream of a cubind::Stream or cubind::StreamRef.
    template <class Stream>
    requires requires(const Stream& stream) { stream.native_handle(); }
    explicit Gate(const Stream& stream) : Gate(stream.native_handle()) {}
    /// Opens the gate and waits for the work of the constructor's stream (cuStreamSynchronize).
    ~Gate() {
        open();
        if (stream_) {
            EXPECT_EQ(driver::cuStreamSynchronize(*stream_).status, driver::CUDA_SUCCESS);
        }
    }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    /// Returns a host function that blocks its stream. It may outlive the gate.
    std::function<void()> blocker() const {
        return [is_open = is_open_] { is_open->wait(false); };
    }
    void open() {
        is_open_->store(true);
        is_open_->notify_all();
    }

private:
    std::optional<driver::CUstream> stream_;
    std::shared_ptr<std::atomic<bool>> is_open_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace cubind::testing
