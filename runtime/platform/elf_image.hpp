// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "platform/elf_format.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The reason why a file cannot be read.
struct CUBIND_EXPORT DamagedFile : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Reads a structure or a number at an offset. Throws DamagedFile if it extends beyond the bytes.
template <class Value>
Value read_value(std::string_view bytes, std::size_t offset, const char* what) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(Value))
        throw DamagedFile(std::string(what) + " extends beyond its end");
    Value value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// A 64-bit little-endian ELF file in memory. Every read is within its bytes; damage throws DamagedFile.
///
/// Sections of a hostile file can overlap, so that a small file would have gigabytes of contents. The contents and names that are
/// handed out have a limit, which is a multiple of the size of the file.
class CUBIND_EXPORT ElfImage {
public:
    struct Section {
        std::string_view name;
        elf::SectionHeader header;
    };
    struct Symbol {
        std::string_view name;
        elf::Symbol facts;
        std::size_t section;  ///< 0 if it is defined in no section
    };

    explicit ElfImage(std::string_view bytes);

    const elf::FileHeader& header() const noexcept { return header_; }
    const std::vector<Section>& sections() const noexcept { return sections_; }
    /// Returns the contents of a section, which are empty if the file does not store them.
    std::string_view contents(const Section& section);
    /// Reads the first table of symbols. A file without one has no symbols.
    std::vector<Symbol> read_symbols();

private:
    std::string_view bytes_at(std::uint64_t offset, std::uint64_t size, const char* what);
    std::string_view text_at(std::string_view texts, std::size_t offset);
    void count(std::size_t size);

    const std::string_view bytes_;
    std::size_t budget_;
    elf::FileHeader header_;
    std::vector<Section> sections_;
};

/// Returns the size of an ELF file whose 64 bytes of header are readable, by its header and its table of sections. All bytes of
/// this size are readable. Returns 0 if they are not, or the size is not plausible.
CUBIND_EXPORT std::size_t elf_size(const void* data);

}  // namespace CUBIND_NAMESPACE::detail
