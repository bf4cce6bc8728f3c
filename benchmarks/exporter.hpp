// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/stream/stream.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/// Exports a buffer of `size` bytes to the process at the other end of the socket, and retains it until that end is closed.
/// Returns the exit status: 77 if this machine cannot share memory.
inline int export_buffer(int socket, std::size_t size) try {
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

/// Receives what export_buffer() sends after the handle of its pool.
inline cubind::IpcBufferDescriptor receive_descriptor(int socket) {
    cubind::IpcBufferDescriptor descriptor;
    if (::recv(socket, &descriptor, sizeof descriptor, MSG_WAITALL) != sizeof descriptor) std::abort();
    return descriptor;
}

/// Starts a process that exports a buffer of `size` bytes, passes the socket to it to `run`, and returns the exit status that
/// `run` returns: 77 if it throws. Must be called before any call of CUDA.
template <class Run>
int with_exporter(std::size_t size, Run run) {
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return 1;
    const pid_t exporter = ::fork();
    if (exporter < 0) return 1;
    ::close(sockets[exporter == 0 ? 0 : 1]);
    if (exporter == 0) ::_exit(export_buffer(sockets[1], size));
    int status = 77;
    try {
        status = run(sockets[0]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "no buffer of another process: %s\n", error.what());
    }
    ::close(sockets[0]);
    ::waitpid(exporter, nullptr, 0);
    return status;
}
