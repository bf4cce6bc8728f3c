// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// A small function on the high-level layer. raw.cpp has the same function without cubind. benchmarks/text_size compares their
/// sizes.

#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/copy.hpp>

#include <span>

void small_function(cubind::Device device, cubind::StreamRef stream, const cubind::Kernel& scale, float factor,
                    std::span<float> values) {
    cubind::Buffer data = device.allocate(stream, values.size_bytes());
    copy(stream, data, values);
    launch(stream, {.grid = cubind::blocks_for(values.size(), 256), .block = 256}, scale, factor, data, values.size());
    copy(stream, values, data);
    stream.synchronize();
}
