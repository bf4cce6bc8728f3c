// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Two processes share a memory pool and an event. The first process fills a buffer, and the second process doubles its values in
// the same memory. The event orders their work on the device: no process waits for the other's work.

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int count = 1u << 16;
const LaunchConfig config{.grid = blocks_for(count, 256), .block = 256};

const char* const source = R"(
extern "C" __global__ void count_up(unsigned int* values, unsigned int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i;
}

extern "C" __global__ void double_all(unsigned int* values, unsigned int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2;
}
)";

/// What the first process sends after the pool.
struct Message {
    IpcBufferDescriptor buffer;
    IpcEventDescriptor event;
};

Kernel compiled(const Device& device, const char* name) {
    return Program(source, {.arch = "compute_" + device.arch()}).compile(CodeType::ptx).kernel(name);
}

/// Receives exactly the bytes of a value. Returns false if the other process has ended.
template <class Value>
bool receive(int socket, Value& value) {
    return ::recv(socket, &value, sizeof value, MSG_WAITALL) == static_cast<ssize_t>(sizeof value);
}

template <class Value>
bool send(int socket, const Value& value) {
    return ::send(socket, &value, sizeof value, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof value);
}

int first_process(int socket) {
    const Device device;
    const auto handle_types = static_cast<unsigned int>(device.properties().mempool_supported_handle_types());
    if ((handle_types & driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) == 0) {
        return example::skip("the device has no memory pools for several processes.");
    }
    if (!device.properties().ipc_event_supported()) return example::skip("the device has no events for several processes.");
    device.set_current();
    const Stream stream(device);
    std::printf("%s\n", device.name().c_str());
    const Kernel count_up = compiled(device, "count_up");

    const DeviceMemoryResource pool(device, {.ipc_enabled = true});
    const TypedBuffer<unsigned int> values = pool.allocate<unsigned int>(stream, count);
    const Event turn(device, {.ipc_enabled = true});
    launch(stream, config, count_up, values, count);
    stream.record(turn);  // the values are ready when the stream reaches this point

    send_allocation_handle(socket, pool.allocation_handle());
    char is_submitted = 0;
    if (!send(socket, Message{values.bytes().ipc_descriptor(), turn.ipc_descriptor()}) || !receive(socket, is_submitted)) {
        return example::verdict(false, "the second process has submitted its work");
    }
    stream.wait(turn);  // the second process has recorded the event again
    std::vector<unsigned int> results(count);
    copy(stream, results, values);
    stream.synchronize();
    bool is_right = true;
    for (unsigned int i = 0; i < count; ++i) is_right = is_right && results[i] == 2 * i;
    char is_unmapped = 0;
    is_right = receive(socket, is_unmapped) && is_right;  // the memory must not be freed before
    return example::verdict(is_right, "the second process has doubled the values of the first one");
}

int second_process(int socket) {
    IpcAllocationHandle handle;
    try {
        handle = receive_allocation_handle(socket);
    } catch (const std::system_error&) {
        return example::skipped;  // the first process has ended, and has printed why
    }
    Message message;
    if (!receive(socket, message)) return example::failed;
    const Device device;
    device.set_current();
    const Stream stream(device);
    const Kernel double_all = compiled(device, "double_all");

    const DeviceMemoryResource pool = DeviceMemoryResource::from_allocation_handle(device, handle);
    const Event turn = Event::from_ipc_descriptor(device, message.event);
    Buffer values = Buffer::from_ipc_descriptor(stream, pool, message.buffer);
    stream.wait(turn);  // on the device, until the first process has written the values
    launch(stream, config, double_all, values, count);
    stream.record(turn);
    if (!send(socket, 'x')) return example::failed;
    values.close();
    return send(socket, 'x') ? example::passed : example::failed;
}

}  // namespace

int main() {
    // A process that has used CUDA must not call fork().
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return example::skip("there are no Unix sockets.");
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child < 0) return example::skip("there can be no second process.");
    ::close(sockets[child == 0 ? 0 : 1]);
    if (child == 0) {
        int code = example::failed;
        try {
            code = second_process(sockets[1]);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "in the second process: %s\n", error.what());
        }
        ::_exit(code);
    }
    int code = example::run([&] { return first_process(sockets[0]); });
    ::close(sockets[0]);
    int status = 0;
    if (::waitpid(child, &status, 0) != child || (code == example::passed && status != 0)) code = example::failed;
    return code;
}
