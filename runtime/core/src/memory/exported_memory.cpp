// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/exported_memory.hpp>

#include <span>
#include <utility>

#include "errors/misuse.hpp"
#include "memory/descriptor_message.hpp"

namespace CUBIND_NAMESPACE {
namespace {

/// The beginning of a message. The sizes of the parts follow.
struct Header {
    std::uint64_t mark;
    std::array<std::uint64_t, 2> id;
    std::uint64_t size;
    std::uint64_t reserved_size;
    std::uint64_t part_count;
};

constexpr std::uint64_t memory_mark = 0x6375'6269'6e64'0001;  // "cubind", version 1

}  // namespace

void send_memory(int socket, const ExportedMemory& memory) {
    const std::size_t count = memory.parts.size();
    if (count > detail::max_descriptors) {
        detail::throw_misuse("cannot send memory of ", count, " parts: a message has at most ", detail::max_descriptors,
                             "; grow the buffer in larger steps");
    }
    const Header header{memory_mark, memory.id, memory.size, memory.reserved_size, count};
    std::vector<std::uint64_t> sizes;
    std::vector<int> descriptors;
    for (const ExportedMemory::Part& part : memory.parts) {
        sizes.push_back(part.size);
        descriptors.push_back(part.descriptor.native_handle());
    }
    detail::send_message(socket, std::as_bytes(std::span(&header, 1)), descriptors);
    if (!sizes.empty()) detail::send_message(socket, std::as_bytes(std::span(sizes)), {});
}

ExportedMemory receive_memory(int socket) {
    std::vector<FileDescriptor> descriptors;
    Header header{};
    detail::receive_message(socket, std::as_writable_bytes(std::span(&header, 1)), descriptors);
    if (header.mark != memory_mark || header.part_count != descriptors.size()) {
        detail::throw_misuse("a message that send_memory() has not sent arrived, with ", descriptors.size(), " file descriptors");
    }
    std::vector<std::uint64_t> sizes(descriptors.size());
    detail::receive_message(socket, std::as_writable_bytes(std::span(sizes)), descriptors);
    ExportedMemory memory{header.id, header.size, header.reserved_size};
    for (std::size_t part = 0; part < sizes.size(); ++part) memory.parts.push_back({std::move(descriptors[part]), sizes[part]});
    return memory;
}

}  // namespace CUBIND_NAMESPACE
