// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>
#include <string_view>

/// The format of 64-bit ELF files, as the System V ABI defines it. Code for GPUs has this format on every system.
namespace CUBIND_NAMESPACE::detail::elf {

inline constexpr std::string_view magic =
    "\x7f"
    "ELF";
/// The beginning of a 64-bit little-endian file.
inline constexpr std::string_view magic_64 =
    "\x7f"
    "ELF\x02\x01";

/// The position in FileHeader::identity of the version of what the machine adds to the format.
inline constexpr unsigned abi_version = 8;
/// A value of FileHeader::type.
inline constexpr std::uint16_t executable = 2;

struct FileHeader {
    unsigned char identity[16];
    std::uint16_t type;
    std::uint16_t machine;
    std::uint32_t version;
    std::uint64_t entry;
    std::uint64_t segments;  ///< offset of their table
    std::uint64_t sections;  ///< offset of their table
    std::uint32_t flags;
    std::uint16_t size;  ///< of this header
    std::uint16_t segment_size;
    std::uint16_t segment_count;
    std::uint16_t section_size;
    std::uint16_t section_count;
    std::uint16_t names;  ///< index of the section with the names of sections, or far_index
};
static_assert(sizeof(FileHeader) == 64);

struct SectionHeader {
    std::uint32_t name;  ///< position among the names
    std::uint32_t type;
    std::uint64_t flags;
    std::uint64_t address;
    std::uint64_t offset;
    std::uint64_t size;
    std::uint32_t link;  ///< index of a further section
    std::uint32_t info;
    std::uint64_t alignment;
    std::uint64_t entry_size;
};
static_assert(sizeof(SectionHeader) == 64);

struct Symbol {
    std::uint32_t name;  ///< position among the names
    std::uint8_t info;
    std::uint8_t other;
    std::uint16_t section;
    std::uint64_t value;
    std::uint64_t size;
};
static_assert(sizeof(Symbol) == 24);

struct Relocation {
    std::uint64_t offset;
    std::uint64_t info;
};
static_assert(sizeof(Relocation) == 16);

struct RelocationWithAddend {
    std::uint64_t offset;
    std::uint64_t info;
    std::int64_t addend;
};
static_assert(sizeof(RelocationWithAddend) == 24);

enum SectionType : std::uint32_t {
    no_section = 0,
    symbol_table = 2,
    relocations_with_addends = 4,
    no_bits = 8,  ///< without bytes in the file
    relocations = 9,
    far_indices = 18,  ///< sections of symbols whose index is far_index
};

/// From this number on, the index of a section has a special meaning.
inline constexpr std::uint16_t first_special_index = 0xff00;
/// The index is stored elsewhere, because it has more than 16 bits.
inline constexpr std::uint16_t far_index = 0xffff;

enum class SymbolType : std::uint8_t { none = 0, object = 1, function = 2 };

constexpr SymbolType type_of(const Symbol& symbol) noexcept {
    return SymbolType(symbol.info & 0xf);
}

/// Returns the index of the symbol of a relocation.
constexpr std::uint32_t symbol_of(std::uint64_t relocation_info) noexcept {
    return static_cast<std::uint32_t>(relocation_info >> 32);
}

constexpr std::uint32_t type_of(std::uint64_t relocation_info) noexcept {
    return static_cast<std::uint32_t>(relocation_info);
}

}  // namespace CUBIND_NAMESPACE::detail::elf
