// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace cubind::testing {

using namespace cubind;

/// A capture that a program begins by a direct call of the driver.
class ForeignCapture {
public:
    explicit ForeignCapture(driver::CUstream stream) : stream_(stream) {
        check(driver::cuStreamBeginCapture(stream, driver::CU_STREAM_CAPTURE_MODE_RELAXED));
    }
    /// Ends the capture, and returns the instantiated graph.
    driver::CUgraphExec instantiate() {
        const driver::CUgraph graph = check(driver::cuStreamEndCapture(stream_));
        const driver::CUgraphExec executable = check(driver::cuGraphInstantiateWithFlags(graph, 0));
        check(driver::cuGraphDestroy(graph));
        return executable;
    }

private:
    driver::CUstream stream_;
};

/// Checks that the memory of buffers that are allocated during such a capture belongs to its graph. A context must be current.
inline void expect_owned_by_a_foreign_capture(Device device, StreamRef stream) {
    ForeignCapture capture(stream.native_handle());
    std::optional<Buffer> temporary = device.allocate(stream, 16);
    Buffer buffer = device.allocate(stream, 16);
    Buffer closed = device.allocate(stream, 16);
    temporary.reset();  // adds a free node to the capture
    const driver::CUgraphExec executable = capture.instantiate();
    closed.close();  // before a launch
    check(driver::cuGraphLaunch(executable, stream.native_handle()));
    stream.synchronize();
    { const Buffer ended = std::move(buffer); }
    EXPECT_EQ(driver::cuGraphLaunch(executable, stream.native_handle()).status, driver::CUDA_ERROR_INVALID_VALUE)
        << "the memory of the previous launch is still allocated";
    check(driver::cuGraphExecDestroy(executable));
}

}  // namespace cubind::testing
