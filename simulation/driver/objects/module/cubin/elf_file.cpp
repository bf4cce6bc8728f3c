// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/cubin/elf_file.hpp"

#include <algorithm>

#include "platform/readable_page.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// How often each byte of a file is handed out on average, at most. Names of kernels occur in the names of some ten sections.
constexpr std::size_t max_reads = 8;

// A file with very many sections stores their number in the first of them.
std::uint64_t number_of_sections(const Elf64_Ehdr& header, const Elf64_Shdr& first) noexcept {
    return header.e_shnum != 0 || header.e_shoff == 0 ? header.e_shnum : first.sh_size;
}

/// Larger files are damaged. The check of their memory would take seconds.
constexpr std::uint64_t max_size = std::uint64_t{1} << 34;

bool is_readable(const char* begin, std::uint64_t size) noexcept {
    return cubind::detail::readable_bytes(reinterpret_cast<std::uintptr_t>(begin), size) == size;
}

}  // namespace

ElfFile::ElfFile(std::string_view bytes)
    : bytes_(bytes), budget_(max_reads * bytes.size()), header_(read_value<Elf64_Ehdr>(bytes, 0, "its header")) {
    if (header_.e_shoff == 0) return;
    if (header_.e_shentsize != sizeof(Elf64_Shdr)) throw DamagedFile("the entries of its table of sections have a wrong size");
    const auto first = read_value<Elf64_Shdr>(bytes_, header_.e_shoff, "its table of sections");
    const std::uint64_t count = number_of_sections(header_, first);
    if (count > bytes_.size() / sizeof(Elf64_Shdr)) throw DamagedFile("it states " + std::to_string(count) + " sections");
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::size_t offset = header_.e_shoff + i * sizeof(Elf64_Shdr);
        sections_.push_back({{}, read_value<Elf64_Shdr>(bytes_, offset, "its table of sections")});
    }
    const std::uint64_t names = header_.e_shstrndx == SHN_XINDEX ? first.sh_link : header_.e_shstrndx;
    if (names >= count) throw DamagedFile("it has no names of sections");
    const std::string_view texts = contents(sections_[names]);
    for (Section& section : sections_) section.name = text_at(texts, section.header.sh_name);
}

std::string_view ElfFile::contents(const Section& section) {
    if (section.header.sh_type == SHT_NOBITS) return {};
    const std::string_view found = bytes_at(section.header.sh_offset, section.header.sh_size, "a section");
    count(found.size());
    return found;
}

std::vector<ElfFile::Symbol> ElfFile::read_symbols() {
    std::vector<Symbol> symbols;
    const auto has_type = [](Elf64_Word type) { return [type](const Section& each) { return each.header.sh_type == type; }; };
    const auto table = std::find_if(sections_.begin(), sections_.end(), has_type(SHT_SYMTAB));
    if (table == sections_.end()) return symbols;
    if (table->header.sh_link >= sections_.size()) throw DamagedFile("its symbols have no names");
    const std::string_view entries = contents(*table);
    const std::string_view texts = contents(sections_[table->header.sh_link]);
    const auto far = std::find_if(sections_.begin(), sections_.end(), has_type(SHT_SYMTAB_SHNDX));
    const std::string_view far_sections = far != sections_.end() ? contents(*far) : std::string_view();
    for (std::size_t i = 0; i < entries.size() / sizeof(Elf64_Sym); ++i) {
        const auto facts = read_value<Elf64_Sym>(entries, i * sizeof(Elf64_Sym), "a symbol");
        std::size_t section = facts.st_shndx < SHN_LORESERVE ? facts.st_shndx : 0;
        if (facts.st_shndx == SHN_XINDEX) section = read_value<Elf64_Word>(far_sections, i * sizeof(Elf64_Word), "a symbol");
        if (section >= sections_.size()) throw DamagedFile("a symbol is in a section that does not exist");
        symbols.push_back({text_at(texts, facts.st_name), facts, section});
    }
    return symbols;
}

std::string_view ElfFile::bytes_at(std::uint64_t offset, std::uint64_t size, const char* what) {
    if (offset > bytes_.size() || size > bytes_.size() - offset) throw DamagedFile(std::string(what) + " extends beyond its end");
    return bytes_.substr(offset, size);
}

std::string_view ElfFile::text_at(std::string_view texts, std::size_t offset) {
    if (offset >= texts.size()) {
        if (offset == 0) return {};
        throw DamagedFile("a name extends beyond its end");
    }
    const std::string_view rest = texts.substr(offset, budget_ + 1);
    const std::size_t length = rest.find('\0');
    if (length == std::string_view::npos) throw DamagedFile("a name does not end");
    count(length);
    return rest.substr(0, length);
}

void ElfFile::count(std::size_t size) {
    if (size > budget_) throw DamagedFile("its sections overlap");
    budget_ -= size;
}

std::size_t elf_size(const void* data) {
    const auto* const begin = static_cast<const char*>(data);
    const auto header = read_value<Elf64_Ehdr>({begin, sizeof(Elf64_Ehdr)}, 0, "its header");
    std::uint64_t end = sizeof header;
    // Returns whether these bytes could be in the file.
    const auto include = [&](std::uint64_t offset, std::uint64_t size) {
        if (offset > max_size || size > max_size - offset) return false;
        end = std::max(end, offset + size);
        return true;
    };
    if (!include(header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize)) return 0;
    if (header.e_shoff != 0) {
        Elf64_Shdr section;
        if (!include(header.e_shoff, sizeof section) || !is_readable(begin + header.e_shoff, sizeof section)) return 0;
        std::memcpy(&section, begin + header.e_shoff, sizeof section);
        const std::uint64_t count = number_of_sections(header, section);
        if (count > max_size / sizeof section || !include(header.e_shoff, count * sizeof section)) return 0;
        if (!is_readable(begin + header.e_shoff, count * sizeof section)) return 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            std::memcpy(&section, begin + header.e_shoff + i * sizeof section, sizeof section);
            if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL) continue;
            if (!include(section.sh_offset, section.sh_size)) return 0;
        }
    }
    // All of it, because memory between two sections need not be accessible.
    return is_readable(begin, end) ? end : 0;
}

}  // namespace CUBIND_NAMESPACE::sim
