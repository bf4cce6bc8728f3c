// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Objects that the debugger prints when stop() is called.
#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <utility>

using namespace cubind;

[[gnu::noinline]] void stop() {
    std::puts("stopped");
}

int main() {
    Device device;
    Stream stream(device);
    Stream moved(device);
    Stream empty = std::move(moved);
    moved.close();
    Event event(device);
    StreamRef default_stream = StreamRef::legacy_default();
    TypedBuffer typed = device.allocate<float>(stream, 1000);
    Buffer bytes = device.allocate(stream, 64);
    Buffer closed;
    Buffer view = Buffer::view_of(bytes.native_handle() + 16, 32);
    PitchedBuffer pitched = device.allocate_pitched<float>(stream, {.width = 64, .height = 48});
    [[maybe_unused]] LaunchConfig config{.grid = 4, .block = 256};
    const auto address = static_cast<unsigned long long>(typed.native_handle());
    const auto handle = reinterpret_cast<std::size_t>(event.native_handle());
    std::printf("%llx %zx\n", address, handle);
    std::fflush(stdout);  // the debugger ends the program
    stop();
}
