// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/exported_memory.hpp>

#include <cstring>
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

constexpr std::uint64_t fabric_mark = 0x6375'6269'6e64'0201;  // "cubind", fabric handles, version 1

struct FabricPart {
    std::uint64_t size;
    FabricHandle handle;
};

[[noreturn]] void throw_not_fabric(std::size_t size) {
    detail::throw_misuse("to_bytes() has not returned these ", size, " bytes");
}

}  // namespace

std::vector<std::byte> to_bytes(const ExportedMemory& memory) {
    if (memory.kind != SharingHandle::fabric) {
        detail::throw_misuse(
            "file descriptors cannot be converted to bytes: send_memory() sends them to a process of this machine");
    }
    const Header header{fabric_mark, memory.id, memory.size, memory.reserved_size, memory.parts.size()};
    std::vector<FabricPart> parts;
    for (const ExportedMemory::Part& part : memory.parts) parts.push_back({part.size, part.fabric});
    std::vector<std::byte> bytes;
    const auto append = [&](std::span<const std::byte> added) { bytes.insert(bytes.end(), added.begin(), added.end()); };
    append(std::as_bytes(std::span(&header, 1)));
    append(std::as_bytes(std::span(parts)));
    return bytes;
}

ExportedMemory memory_from_bytes(std::span<const std::byte> bytes) {
    Header header{};
    if (bytes.size() < sizeof header) throw_not_fabric(bytes.size());
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::span rest = bytes.subspan(sizeof header);
    const bool is_whole = rest.size() % sizeof(FabricPart) == 0 && rest.size() / sizeof(FabricPart) == header.part_count;
    if (header.mark != fabric_mark || !is_whole) throw_not_fabric(bytes.size());
    ExportedMemory memory{header.id, header.size, header.reserved_size};
    memory.kind = SharingHandle::fabric;
    for (std::size_t offset = 0; offset < rest.size(); offset += sizeof(FabricPart)) {
        FabricPart part{};
        std::memcpy(&part, &rest[offset], sizeof part);
        memory.parts.push_back({FileDescriptor(), part.size, part.handle});
    }
    return memory;
}

void send_memory(int socket, const ExportedMemory& memory) {
    if (memory.kind != SharingHandle::posix_file_descriptor) {
        detail::throw_misuse("fabric handles are not sent as descriptors: to_bytes() converts them to bytes");
    }
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
    for (std::size_t part = 0; part < sizes.size(); ++part)
        memory.parts.push_back({std::move(descriptors[part]), sizes[part], {}});
    return memory;
}

}  // namespace CUBIND_NAMESPACE
