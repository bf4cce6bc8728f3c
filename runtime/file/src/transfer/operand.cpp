// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "transfer/operand.hpp"

#include <cubind/core/memory/pointer_attributes.hpp>

#include <limits>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail::io {

namespace {

constexpr std::uint64_t max_offset = std::numeric_limits<std::int64_t>::max();

void check_range(const OpenFile& file, Direction direction, const MemoryView& memory, const FileRange& range) {
    const bool is_read = direction == Direction::read;
    if (is_read ? !file.options().read : !file.options().write) {
        throw_misuse(is_read ? "read of " : "write of ", file.path(), ": the file was opened without the option ",
                     is_read ? "read" : "write");
    }
    if (range.memory_offset > memory.size || (range.size != FileRange::rest && range.size > memory.size - range.memory_offset)) {
        throw_misuse(is_read ? "read of " : "write of ", file.path(), ": the range begins at the byte ", range.memory_offset,
                     " of the memory and has ",
                     range.size == FileRange::rest ? std::string("the rest") : concat("", range.size, " bytes"),
                     ", but the memory has ", memory.size, " bytes");
    }
    const std::size_t size = range.size == FileRange::rest ? memory.size - range.memory_offset : range.size;
    if (range.file_offset > max_offset || size > max_offset - range.file_offset) {
        throw_misuse(is_read ? "read of " : "write of ", file.path(), ": ", size, " bytes at the offset ", range.file_offset,
                     " exceed the largest offset of files, 2^63 - 1: was the offset negative?");
    }
}

// The end of memory that consists of several mappings is not in the allocation of its beginning.
void check_end(const OpenFile& file, const Operand& operand, const PointerAttributes& first) {
    if (first.allocation_size == 0 || operand.size <= first.allocation + first.allocation_size - operand.address) return;
    if (PointerAttributes::of(operand.address + operand.size - 1).kind == first.kind) return;
    throw_misuse("transfer of ", file.path(), ": the ", operand.size, " bytes at the address ", operand.address,
                 " exceed their allocation, which has ", first.allocation_size, " bytes at the address ", first.allocation);
}

}  // namespace

Operand operand_of(const OpenFile& file, Direction direction, const MemoryView& memory, const FileRange& range) {
    check_range(file, direction, memory, range);
    Operand found;
    found.offset = range.file_offset;
    found.size = range.size == FileRange::rest ? memory.size - range.memory_offset : range.size;
    found.buffer = memory.buffer;
    if (found.size == 0) return found;
    found.address = memory.address + range.memory_offset;
    const PointerAttributes attributes = PointerAttributes::of(found.address);
    switch (attributes.kind) {
        case MemoryType::unregistered:
            found.host = reinterpret_cast<std::byte*>(found.address);
            return found;
        case MemoryType::host:
            check_end(file, found, attributes);
            found.host = static_cast<std::byte*>(attributes.host_pointer);
            return found;
        case MemoryType::managed:  // copies migrate it; the operating system must not wait for faults
            check_end(file, found, attributes);
            found.context = attributes.context ? attributes.context : Device().primary_context();
            return found;
        case MemoryType::device:
            check_end(file, found, attributes);
            found.device = attributes.device;
            found.context = attributes.context ? attributes.context : found.device->primary_context();
            found.is_for_cufile = file.handle() != nullptr;
            return found;
    }
    return found;
}

}  // namespace CUBIND_NAMESPACE::detail::io
