// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/entry_header.hpp"

namespace cubind::detail {
namespace {

constexpr std::uint64_t magic = 0x4d474f5250425543;  // "CUBPROGM" where the low byte comes first

Hash128 checksum(const EntryHeader& header, const void* program) noexcept {
    return hash_of(&header, offsetof(EntryHeader, checksum), program, header.length);
}

}  // namespace

EntryHeader make_entry_header(const CacheKey& key, const Bytes& program) noexcept {
    EntryHeader header{magic, entry_format_version, 0, program.size(), key, {}};
    header.checksum = checksum(header, program.data());
    return header;
}

bool fits(const EntryHeader& header, const CacheKey& key, std::uint64_t length) noexcept {
    return header.magic == magic && header.version == entry_format_version && header.length == length && header.key == key;
}

bool is_intact(const EntryHeader& header, const void* program) noexcept { return header.checksum == checksum(header, program); }

}  // namespace cubind::detail
