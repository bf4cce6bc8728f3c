// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times copies into and out of a buffer of another process beside copies of the own memory and memcpy.
/// benchmarks/simulated_driver_cost runs this program on the simulated driver and compares the times; alternate.hpp has its
/// options.

#include <cubind/core/buffer.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/device_memory_resource.hpp>
#include <cubind/driver.hpp>

#include "../alternate.hpp"
#include "../exporter.hpp"

namespace {

using namespace cubind::driver;

constexpr std::size_t size = std::size_t{64} << 20;

void require(CUresult status) {
    if (status != CUDA_SUCCESS) std::abort();
}

int run(int argc, char** argv, int socket) {
    const cubind::Device device(0);
    device.set_current();
    const cubind::Stream stream(device);
    const auto imported = cubind::DeviceMemoryResource::from_allocation_handle(device, cubind::receive_allocation_handle(socket));
    const cubind::Buffer shared = cubind::Buffer::from_ipc_descriptor(stream, imported, receive_descriptor(socket));
    const cubind::DeviceMemoryResource pool(device);
    const cubind::Buffer first = pool.allocate(stream, size);
    const cubind::Buffer second = pool.allocate(stream, size);
    for (const CUdeviceptr each : {shared.native_handle(), first.native_handle(), second.native_handle()})
        require(cuMemsetD8(each, 1, size).status);
    stream.synchronize();

    std::vector<char> from(size, 1);
    std::vector<char> to(size, 2);
    Alternation calls(argc, argv);
    const auto copy = [](CUdeviceptr target, CUdeviceptr source) {
        return [=] { require(cuMemcpyDtoD(target, source, size).status); };
    };
    calls.add("copy of 64 MiB", "memcpy", 1, [&] {
        std::memcpy(to.data(), from.data(), size);
        use(to);
    });
    calls.add("copy of 64 MiB", "own memory", 1, copy(first.native_handle(), second.native_handle()));
    calls.add("copy of 64 MiB", "into a pool of another process", 1, copy(shared.native_handle(), second.native_handle()));
    calls.add("copy of 64 MiB", "out of a pool of another process", 1, copy(first.native_handle(), shared.native_handle()));
    return calls.run();
}

}  // namespace

int main(int argc, char** argv) {
    return with_exporter(size, [&](int socket) { return run(argc, argv, socket); });
}
