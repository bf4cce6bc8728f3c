// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times copies into and out of a buffer of another process beside memcpy.
/// benchmarks/simulated_driver_cost runs this program on the simulated driver and compares the times; alternate.hpp has its
/// options.

#include <cubind/check.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/driver.hpp>

#include "../alternate.hpp"
#include "../exporter.hpp"

namespace {

using namespace cubind::driver;

constexpr std::size_t size = std::size_t{64} << 20;

int run(int argc, char** argv, int socket) {
    const cubind::Device device(0);
    device.set_current();
    const cubind::Stream stream(device);
    const auto imported = cubind::DeviceMemoryResource::from_allocation_handle(device, cubind::receive_allocation_handle(socket));
    const cubind::Buffer shared = cubind::Buffer::from_ipc_descriptor(stream, imported, receive_descriptor(socket));
    const cubind::DeviceMemoryResource pool(device);
    const cubind::Buffer own = pool.allocate(stream, size);
    for (const CUdeviceptr each : {shared.native_handle(), own.native_handle()}) cubind::check(cuMemsetD8(each, 1, size));
    stream.synchronize();

    std::vector<char> from(size, 1);
    std::vector<char> to(size, 2);
    Alternation calls(argc, argv);
    const auto copy = [](CUdeviceptr target, CUdeviceptr source) {
        return [=] { cubind::check(cuMemcpyDtoD(target, source, size)); };
    };
    calls.add("copy of 64 MiB", "memcpy", 1, [&] {
        std::memcpy(to.data(), from.data(), size);
        use(to);
    });
    calls.add("copy of 64 MiB", "into a pool of another process", 1, copy(shared.native_handle(), own.native_handle()));
    calls.add("copy of 64 MiB", "out of a pool of another process", 1, copy(own.native_handle(), shared.native_handle()));
    return calls.run();
}

}  // namespace

int main(int argc, char** argv) {
    return with_exporter(size, [&](int socket) { return run(argc, argv, socket); });
}
