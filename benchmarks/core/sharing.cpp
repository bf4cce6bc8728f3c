// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times the import of a buffer of another process through the high-level layer and through a function pointer.
/// benchmarks/core_cost runs this program and compares the times; alternate.hpp has its options.

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/ipc.hpp>

#include <cstring>

#include "../exporter.hpp"
#include "plain.hpp"

namespace {

using namespace cubind::driver;

int socket_to_exporter = -1;

struct Setup {
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();  // as in most programs
    cubind::Stream stream{device};
    cubind::DeviceMemoryResource pool =
        cubind::DeviceMemoryResource::from_allocation_handle(device, cubind::receive_allocation_handle(socket_to_exporter));
    cubind::IpcBufferDescriptor descriptor;
};

void add(Alternation& calls) {
    static Setup& with = *new Setup;
    with.descriptor = receive_descriptor(socket_to_exporter);
    // Only the import is timed: the end of a Buffer also waits for its stream.
    static CUdeviceptr memory = 0;
    static cubind::Buffer buffer;
    calls.add(
        "import of a buffer", "plain", 1,
        [import = plain<CUresult(CUdeviceptr*, CUmemoryPool, CUmemPoolPtrExportData*)>("cuMemPoolImportPointer"),
         pool = with.pool.native_handle()] {
            CUmemPoolPtrExportData data{};
            std::memcpy(&data, with.descriptor.data.data(), sizeof data);
            expect(import(&memory, pool, &data));
        },
        [free = plain<CUresult(CUdeviceptr)>("cuMemFree_v2")] { expect(free(memory)); });
    calls.add(
        "import of a buffer", "Buffer::from_ipc_descriptor", 1,
        [] { buffer = cubind::Buffer::from_ipc_descriptor(with.stream, with.pool, with.descriptor); }, [] { buffer.close(); });
}

}  // namespace

int main(int argc, char** argv) {
    return with_exporter(2 << 20, [&](int socket) {
        socket_to_exporter = socket;
        return run_benchmarks(argc, argv, add);
    });
}
