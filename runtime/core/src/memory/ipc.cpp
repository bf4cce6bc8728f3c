// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/ipc.hpp>

#include <cstring>
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

/// The bytes of a fabric handle.
struct FabricMessage {
    Message begin;
    FabricHandle fabric;
};

constexpr std::uint64_t pool_mark = 0x6375'6269'6e64'0101;         // "cubind", a pool, version 1
constexpr std::uint64_t fabric_pool_mark = 0x6375'6269'6e64'0301;  // "cubind", a pool by a fabric handle, version 1

}  // namespace

std::vector<std::byte> to_bytes(const IpcAllocationHandle& handle) {
    if (handle.kind != SharingHandle::fabric) {
        detail::throw_misuse(
            "a file descriptor cannot be converted to bytes: send_allocation_handle() sends it to a process of this machine");
    }
    const FabricMessage message{{fabric_pool_mark, handle.uuid}, handle.fabric};
    const auto bytes = std::as_bytes(std::span(&message, 1));
    return {bytes.begin(), bytes.end()};
}

IpcAllocationHandle allocation_handle_from_bytes(std::span<const std::byte> bytes) {
    FabricMessage message{};
    if (bytes.size() == sizeof message) std::memcpy(&message, bytes.data(), sizeof message);
    if (message.begin.mark != fabric_pool_mark)
        detail::throw_misuse("to_bytes() of an IpcAllocationHandle has not returned these ", bytes.size(), " bytes");
    return {FileDescriptor(), message.begin.uuid, SharingHandle::fabric, message.fabric};
}

void send_allocation_handle(int socket, const IpcAllocationHandle& handle) {
    if (handle.kind != SharingHandle::posix_file_descriptor)
        detail::throw_misuse("a fabric handle is not sent as a descriptor: to_bytes() converts it to bytes");
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
    return {std::move(descriptors.front()), message.uuid, SharingHandle::posix_file_descriptor, {}};
}

}  // namespace CUBIND_NAMESPACE
