// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/link/lto_ir.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace CUBIND_NAMESPACE::detail {
namespace {

// The beginning of a fat binary, and of each of its entries.
struct FatHeader {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t size;        // of this header
    std::uint64_t size_after;  // of all entries
};
struct FatEntry {
    std::uint16_t kind;
    std::uint16_t flags;
    std::uint32_t size;        // of the entry's header
    std::uint64_t size_after;  // of its code
};
constexpr std::uint32_t fat_magic = 0xba55ed50;
constexpr std::uint16_t lto_ir_kind = 8;

template <class Header>
bool read(std::span<const std::byte> bytes, Header& header) {
    if (bytes.size() < sizeof header) return false;
    std::memcpy(&header, bytes.data(), sizeof header);
    return header.size >= sizeof header && header.size <= bytes.size() && header.size_after <= bytes.size() - header.size;
}

bool has_only_lto_ir(std::span<const std::byte> bytes) {
    FatHeader header;
    if (!read(bytes, header) || header.magic != fat_magic || header.size_after == 0) return false;
    std::span<const std::byte> entries = bytes.subspan(header.size, header.size_after);
    while (!entries.empty()) {
        FatEntry entry;
        if (!read(entries, entry) || entry.kind != lto_ir_kind) return false;
        entries = entries.subspan(entry.size + entry.size_after);
    }
    return true;
}

}  // namespace

bool is_lto_ir(const ObjectCode& object) {
    return object.kind() == CodeType::lto_ir || (object.kind() == CodeType::fatbin && has_only_lto_ir(object.bytes()));
}

}  // namespace CUBIND_NAMESPACE::detail
