// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "compilers/object/linux/elf_file.hpp"

#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::sim {

ElfFile::ElfFile(const char* path) noexcept {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status;
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        void* const memory = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
        if (memory != MAP_FAILED) {
            bytes_ = static_cast<const std::byte*>(memory);
            size_ = static_cast<std::size_t>(status.st_size);
        }
    }
    ::close(file);
    const std::span<const Elf64_Ehdr> header = items<Elf64_Ehdr>(0, 1);
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 || header[0].e_ident[EI_CLASS] != ELFCLASS64)
        return;
    if (header[0].e_shentsize == sizeof(Elf64_Shdr)) sections_ = items<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum);
}

ElfFile::~ElfFile() {
    if (bytes_ != nullptr) ::munmap(const_cast<std::byte*>(bytes_), size_);
}

template <class Item>
std::span<const Item> ElfFile::items(Elf64_Off offset, std::size_t count) const noexcept {
    if (offset > size_ || offset % alignof(Item) != 0 || count > (size_ - offset) / sizeof(Item)) return {};
    return {reinterpret_cast<const Item*>(bytes_ + offset), count};
}

ElfFile::Symbols ElfFile::symbols(Elf64_Word type) const noexcept {
    for (const Elf64_Shdr& section : sections_) {
        if (section.sh_type != type || section.sh_link >= sections_.size()) continue;
        const Elf64_Shdr& strings = sections_[section.sh_link];
        const std::span<const char> names = items<char>(strings.sh_offset, strings.sh_size);
        if (names.empty() || names.back() != '\0') return {};
        return {items<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym)), {names.data(), names.size()}};
    }
    return {};
}

bool ElfFile::has(Elf64_Off offset, const void* bytes, std::size_t count) const noexcept {
    const std::span<const std::byte> own = items<std::byte>(offset, count);
    return own.size() == count && std::memcmp(own.data(), bytes, count) == 0;
}

std::string_view ElfFile::Symbols::function_name(const Elf64_Sym& symbol) const noexcept {
    const bool is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
    return is_function && symbol.st_name < names.size() ? std::string_view(names.data() + symbol.st_name) : std::string_view();
}

}  // namespace CUBIND_NAMESPACE::sim
