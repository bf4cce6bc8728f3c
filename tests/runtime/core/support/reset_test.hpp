// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/core/testing/gtest.hpp>

namespace cubind::testing {

/// Changes a limit of the device and resets it while a stream and memory of its primary context exist: drivers may crash if a
/// program uses an event of a context that has ended. A Device from before works afterwards, and the limit has its default.
inline void expect_defaults_after_reset(Device device) {
    const std::size_t before = device.limit(driver::CU_LIMIT_STACK_SIZE);
    {
        const Stream stream(device);
        const Buffer buffer = device.allocate(stream, 64);
        device.set_limit(driver::CU_LIMIT_STACK_SIZE, before + 4096);
        EXPECT_NE(device.limit(driver::CU_LIMIT_STACK_SIZE), before);
        stream.synchronize();
        device.reset();
        EXPECT_EQ(device.limit(driver::CU_LIMIT_STACK_SIZE), before);
    }
    const Stream stream(device);
    Buffer buffer = device.allocate(stream, 64);
    fill(stream, buffer, 1);
    buffer.close();
    stream.synchronize();
}

}  // namespace cubind::testing
