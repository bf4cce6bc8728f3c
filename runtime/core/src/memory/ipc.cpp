// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/ipc.hpp>

#include <span>
#include <utility>
#include <vector>

#include "errors/misuse.hpp"
#include "memory/descriptor_message.hpp"

namespace CUBIND_NAMESPACE {
namespace {

struct Message {
    std::uint64_t mark;
    PoolUuid uuid;
};

constexpr std::uint64_t pool_mark = 0x6375'6269'6e64'0101;  // "cubind", a pool, version 1

}  // namespace

void send_allocation_handle(int socket, const IpcAllocationHandle& handle) {
    const Message message{pool_mark, handle.uuid};
    const int number = handle.descriptor.native_handle();
    detail::send_message(socket, std::as_bytes(std::span(&message, 1)), {&number, 1});
}

IpcAllocationHandle receive_allocation_handle(int socket) {
    std::vector<FileDescriptor> descriptors;
    Message message{};
    detail::receive_message(socket, std::as_writable_bytes(std::span(&message, 1)), descriptors);
    if (message.mark != pool_mark || descriptors.size() != 1) {
        detail::throw_misuse("a message that send_allocation_handle() has not sent arrived, with ", descriptors.size(),
                             " file descriptors");
    }
    return {std::move(descriptors.front()), message.uuid};
}

}  // namespace CUBIND_NAMESPACE
