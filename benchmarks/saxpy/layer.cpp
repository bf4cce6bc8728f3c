// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// SAXPY on the high-level layer, from source text to checked results. plain.cpp does the same without cubind.

#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/error.hpp>

#include "saxpy.hpp"

namespace {

int run(cubind::Device device) {
    device.set_current();
    const cubind::Stream stream(device);
    const cubind::ObjectCode code = cubind::Program(saxpy::source).compile(cubind::CodeType::cubin);
    const cubind::Kernel kernel = code.kernel("saxpy");

    const std::vector<float> x = saxpy::numbers(1021);
    const std::vector<float> y = saxpy::numbers(4093);
    std::vector<float> out(saxpy::n);
    constexpr std::size_t size = saxpy::n * sizeof(float);
    cubind::Buffer on_device_x = device.allocate(stream, size);
    cubind::Buffer on_device_y = device.allocate(stream, size);
    const cubind::Buffer on_device_out = device.allocate(stream, size);
    copy(stream, on_device_x, x);
    copy(stream, on_device_y, y);

    const auto launch = [&] {
        cubind::launch(stream, {.grid = saxpy::blocks, .block = saxpy::threads}, kernel, saxpy::a, on_device_x, on_device_y,
                       on_device_out, saxpy::n);
    };
    launch();
    const cubind::Event start = stream.record({.timing_enabled = true});
    for (int i = 0; i < saxpy::timed_launches; ++i) launch();
    const cubind::Event stop = stream.record({.timing_enabled = true});

    copy(stream, out, on_device_out);
    stream.synchronize();
    return saxpy::finish(x, y, out, (stop - start).count());
}

/// Returns whether a device is available.
bool has_device() try { return cubind::Device::count() > 0; } catch (const cubind::Error&) {
    return false;
}

}  // namespace

int main() {
    if (!has_device()) {
        std::fputs("no GPU\n", stderr);
        return 77;
    }
    return run(cubind::Device(0));
}
