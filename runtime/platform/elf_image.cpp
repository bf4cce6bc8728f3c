// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/elf_image.hpp"

#include <algorithm>

#include "platform/readable_page.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

/// How often each byte of a file is handed out on average, at most. Names of kernels occur in the names of some ten sections.
constexpr std::size_t max_reads = 8;

// A file with very many sections stores their number in the first of them.
std::uint64_t number_of_sections(const elf::FileHeader& header, const elf::SectionHeader& first) noexcept {
    return header.section_count != 0 || header.sections == 0 ? header.section_count : first.size;
}

/// Larger files are damaged. The check of their memory would take seconds.
constexpr std::uint64_t max_size = std::uint64_t{1} << 34;

bool is_readable(const char* begin, std::uint64_t size) noexcept {
    return readable_bytes(reinterpret_cast<std::uintptr_t>(begin), size) == size;
}

}  // namespace

ElfImage::ElfImage(std::string_view bytes)
    : bytes_(bytes), budget_(max_reads * bytes.size()), header_(read_value<elf::FileHeader>(bytes, 0, "its header")) {
    if (header_.sections == 0) return;
    if (header_.section_size != sizeof(elf::SectionHeader))
        throw DamagedFile("the entries of its table of sections have a wrong size");
    const auto first = read_value<elf::SectionHeader>(bytes_, header_.sections, "its table of sections");
    const std::uint64_t count = number_of_sections(header_, first);
    if (count > bytes_.size() / sizeof(elf::SectionHeader)) throw DamagedFile("it states " + std::to_string(count) + " sections");
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::size_t offset = header_.sections + i * sizeof(elf::SectionHeader);
        sections_.push_back({{}, read_value<elf::SectionHeader>(bytes_, offset, "its table of sections")});
    }
    const std::uint64_t names = header_.names == elf::far_index ? first.link : header_.names;
    if (names >= count) throw DamagedFile("it has no names of sections");
    const std::string_view texts = contents(sections_[names]);
    for (Section& section : sections_) section.name = text_at(texts, section.header.name);
}

std::string_view ElfImage::contents(const Section& section) {
    if (section.header.type == elf::no_bits) return {};
    const std::string_view found = bytes_at(section.header.offset, section.header.size, "a section");
    count(found.size());
    return found;
}

std::vector<ElfImage::Symbol> ElfImage::read_symbols() {
    std::vector<Symbol> symbols;
    const auto has_type = [](std::uint32_t type) { return [type](const Section& each) { return each.header.type == type; }; };
    const auto table = std::find_if(sections_.begin(), sections_.end(), has_type(elf::symbol_table));
    if (table == sections_.end()) return symbols;
    if (table->header.link >= sections_.size()) throw DamagedFile("its symbols have no names");
    const std::string_view entries = contents(*table);
    const std::string_view texts = contents(sections_[table->header.link]);
    const auto far = std::find_if(sections_.begin(), sections_.end(), has_type(elf::far_indices));
    const std::string_view far_sections = far != sections_.end() ? contents(*far) : std::string_view();
    for (std::size_t i = 0; i < entries.size() / sizeof(elf::Symbol); ++i) {
        const auto facts = read_value<elf::Symbol>(entries, i * sizeof(elf::Symbol), "a symbol");
        std::size_t section = facts.section < elf::first_special_index ? facts.section : 0;
        if (facts.section == elf::far_index)
            section = read_value<std::uint32_t>(far_sections, i * sizeof(std::uint32_t), "a symbol");
        if (section >= sections_.size()) throw DamagedFile("a symbol is in a section that does not exist");
        symbols.push_back({text_at(texts, facts.name), facts, section});
    }
    return symbols;
}

std::string_view ElfImage::bytes_at(std::uint64_t offset, std::uint64_t size, const char* what) {
    if (offset > bytes_.size() || size > bytes_.size() - offset) throw DamagedFile(std::string(what) + " extends beyond its end");
    return bytes_.substr(offset, size);
}

std::string_view ElfImage::text_at(std::string_view texts, std::size_t offset) {
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

void ElfImage::count(std::size_t size) {
    if (size > budget_) throw DamagedFile("its sections overlap");
    budget_ -= size;
}

std::size_t elf_size(const void* data) {
    const auto* const begin = static_cast<const char*>(data);
    const auto header = read_value<elf::FileHeader>({begin, sizeof(elf::FileHeader)}, 0, "its header");
    std::uint64_t end = sizeof header;
    // Returns whether these bytes could be in the file.
    const auto include = [&](std::uint64_t offset, std::uint64_t size) {
        if (offset > max_size || size > max_size - offset) return false;
        end = std::max(end, offset + size);
        return true;
    };
    if (!include(header.segments, std::uint64_t{header.segment_count} * header.segment_size)) return 0;
    if (header.sections != 0) {
        elf::SectionHeader section;
        if (!include(header.sections, sizeof section) || !is_readable(begin + header.sections, sizeof section)) return 0;
        std::memcpy(&section, begin + header.sections, sizeof section);
        const std::uint64_t count = number_of_sections(header, section);
        if (count > max_size / sizeof section || !include(header.sections, count * sizeof section)) return 0;
        if (!is_readable(begin + header.sections, count * sizeof section)) return 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            std::memcpy(&section, begin + header.sections + i * sizeof section, sizeof section);
            if (section.type == elf::no_bits || section.type == elf::no_section) continue;
            if (!include(section.offset, section.size)) return 0;
        }
    }
    // All of it, because memory between two sections need not be accessible.
    return is_readable(begin, end) ? end : 0;
}

}  // namespace CUBIND_NAMESPACE::detail
