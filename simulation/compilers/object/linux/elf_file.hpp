// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <elf.h>
#include <span>
#include <string_view>

namespace CUBIND_NAMESPACE::sim {

/// An ELF file that is mapped into memory. Offsets and sizes are checked, because the file may be damaged.
class ElfFile {
public:
    /// Maps a file. The object is empty if the file cannot be read or has no header of a section.
    explicit ElfFile(const char* path) noexcept;
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;
    ~ElfFile();

    /// A table of symbols with their names.
    struct Symbols {
        std::span<const Elf64_Sym> all;
        std::string_view names;

        /// Returns the name of a function that the file defines; for other symbols, nothing.
        std::string_view function_name(const Elf64_Sym& symbol) const noexcept;
    };
    /// Returns the first table of symbols with a type of section, such as SHT_SYMTAB. Returns an empty one if there is none.
    Symbols symbols(Elf64_Word type) const noexcept;
    /// Returns whether the file has these bytes at an offset. Does not read them if the file ends before.
    bool has(Elf64_Off offset, const void* bytes, std::size_t count) const noexcept;

private:
    template <class Item>
    std::span<const Item> items(Elf64_Off offset, std::size_t count) const noexcept;

    const std::byte* bytes_ = nullptr;
    std::size_t size_ = 0;
    std::span<const Elf64_Shdr> sections_;
};

}  // namespace CUBIND_NAMESPACE::sim
