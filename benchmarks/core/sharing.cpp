// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times the import of a buffer of another process through the high-level layer and through a function pointer.
/// benchmarks/core_cost runs this program and compares the times; alternate.hpp has its options.

#include <cubind/core/buffer.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/device_memory_resource.hpp>
#include <cubind/core/ipc.hpp>

#include <cstring>
#include <exception>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plain.hpp"

namespace {

using namespace cubind::driver;

constexpr std::size_t size = 2 << 20;
int socket_to_exporter = -1;

// Exports a buffer, and retains it until the other process closes its socket.
int export_buffer(int socket) try {
    const cubind::Device device(0);
    device.set_current();
    const cubind::Stream stream(device);
    const cubind::DeviceMemoryResource pool(device, {.ipc_enabled = true});
    const cubind::Buffer buffer = pool.allocate(stream, size);
    stream.synchronize();
    const cubind::IpcBufferDescriptor descriptor = buffer.ipc_descriptor();
    cubind::send_allocation_handle(socket, pool.allocation_handle());
    if (::send(socket, &descriptor, sizeof descriptor, MSG_NOSIGNAL) != sizeof descriptor) return 1;
    char end = 0;
    return ::read(socket, &end, 1) < 0 ? 1 : 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "no buffer of another process: %s\n", error.what());
    return 77;
}

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
    if (::recv(socket_to_exporter, &with.descriptor, sizeof with.descriptor, MSG_WAITALL) != sizeof with.descriptor) std::abort();
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
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return 1;
    const pid_t exporter = ::fork();  // before any call of CUDA
    if (exporter < 0) return 1;
    ::close(sockets[exporter == 0 ? 0 : 1]);
    if (exporter == 0) ::_exit(export_buffer(sockets[1]));
    socket_to_exporter = sockets[0];
    int status = 77;
    try {
        status = run_benchmarks(argc, argv, add);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "no buffer of another process: %s\n", error.what());
    }
    ::close(sockets[0]);
    ::waitpid(exporter, nullptr, 0);
    return status;
}
