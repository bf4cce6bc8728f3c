// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/object_code/declared_parameters.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::detail {
namespace {

// ---- cubins --------------------------------------------------------------------------------------------------------------

/// The sections of a 64-bit ELF file. Sections that lie outside the file read as empty.
class Sections {
public:
    explicit Sections(Image image) : image_(image) {
        if (image.size() < elf_header_size || read<std::uint16_t>(image, 58) != elf_section_header_size) return;
        const std::uint64_t begin = read<std::uint64_t>(image, 40);
        headers_ = part(image, begin, read<std::uint16_t>(image, 60) * std::uint64_t{elf_section_header_size});
        const std::uint64_t names = read<std::uint16_t>(image, 62);
        if (names < count()) names_ = content(names);
    }

    std::size_t count() const { return headers_.size() / elf_section_header_size; }

    std::string_view name(std::size_t section) const {
        const std::size_t at = std::min<std::size_t>(field<std::uint32_t>(section, 0), names_.size());
        const std::string_view rest(reinterpret_cast<const char*>(names_.data()) + at, names_.size() - at);
        return rest.substr(0, rest.find('\0'));
    }
    Image content(std::size_t section) const {
        return part(image_, field<std::uint64_t>(section, 24), field<std::uint64_t>(section, 32));
    }

private:
    static Image part(Image image, std::uint64_t offset, std::uint64_t size) {
        if (offset > image.size() || size > image.size() - offset) return {};
        return image.subspan(offset, size);
    }
    template <class Number>
    std::uint64_t field(std::size_t section, std::size_t offset) const {
        return read<Number>(headers_, section * elf_section_header_size + offset);
    }

    Image image_;
    Image headers_;
    Image names_;
};

/// The formats of a kernel's attributes. Each attribute has a format, a number, and 16 bits that are a value or the size of the
/// value that follows.
enum Format : std::uint8_t { sized_value = 4 };
enum Attribute : std::uint8_t { parameter = 0x17, parameter_block_size = 0x19, large_parameter = 0x45 };

/// Counts the parameters among the attributes of a kernel. Each has a record with its ordinal, offset and size. Because the
/// format is not documented, the records are accepted only if they agree with the size of all parameters.
std::optional<std::size_t> count_parameters(Image attributes) {
    constexpr std::size_t record_size = 12;
    std::vector<bool> is_declared;
    std::uint64_t end = 0;
    std::uint64_t block_size = 0;
    for (std::size_t at = 0; at + 4 <= attributes.size();) {
        const auto format = read<std::uint8_t>(attributes, at);
        const auto attribute = read<std::uint8_t>(attributes, at + 1);
        const auto value = read<std::uint16_t>(attributes, at + 2);
        const std::size_t record = at + 4;
        at = record + (format == sized_value ? value : 0);
        if (attribute == parameter_block_size) block_size = value;
        if (attribute != parameter && attribute != large_parameter) continue;
        if (format != sized_value || value < record_size || at > attributes.size()) return std::nullopt;
        const std::size_t ordinal = read<std::uint16_t>(attributes, record + 4);
        const std::uint64_t offset = read<std::uint16_t>(attributes, record + 6);
        const std::uint64_t size = read<std::uint32_t>(attributes, record + 8) >> (attribute == parameter ? 18 : 0);
        is_declared.resize(std::max(is_declared.size(), ordinal + 1));
        is_declared[ordinal] = true;
        end = std::max(end, offset + size);
    }
    const bool is_complete = std::find(is_declared.begin(), is_declared.end(), false) == is_declared.end();
    if (!is_complete || end != block_size) return std::nullopt;
    return is_declared.size();
}

/// Counts the parameters of the kernels of a cubin, which has one section with the attributes of each kernel.
ParameterCounts counts_in_cubin(Image image) {
    constexpr std::string_view prefix = ".nv.info.";
    ParameterCounts counts;
    const Sections sections(image);
    for (std::size_t section = 0; section < sections.count(); ++section) {
        const std::string_view name = sections.name(section);
        if (!name.starts_with(prefix)) continue;
        const auto count = count_parameters(sections.content(section));
        if (count) counts.emplace(name.substr(prefix.size()), *count);
    }
    return counts;
}

// ---- PTX -----------------------------------------------------------------------------------------------------------------

/// Reads PTX token by token: words, and single characters of all other kinds. Skips white space, comments and strings.
class Tokens {
public:
    explicit Tokens(std::string_view text) : text_(text) {}

    /// Returns the next token; empty at the end.
    std::string_view next() {
        while (skip("//", "\n") || skip("/*", "*/") || skip("\"", "\"") || skip_space()) {
        }
        std::size_t size = 0;
        while (size < text_.size() && is_word(text_[size])) ++size;
        return take(std::max<std::size_t>(size, 1));
    }

private:
    static bool is_word(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%' ||
               c == '.';
    }
    std::string_view take(std::size_t size) {
        const std::string_view token = text_.substr(0, size);
        text_.remove_prefix(token.size());
        return token;
    }
    bool skip(std::string_view begin, std::string_view end) {
        if (!text_.starts_with(begin)) return false;
        const std::size_t at = text_.find(end, begin.size());
        (void)take(at == std::string_view::npos ? at : at + end.size());
        return true;
    }
    bool skip_space() {
        const std::size_t size = std::min(text_.find_first_not_of(" \t\r\n"), text_.size());
        return !take(size).empty();
    }

    std::string_view text_;
};

/// Counts the parameters in each `.entry SYMBOL ( .param ..., .param ... )`. Without parameters the list may be missing.
ParameterCounts counts_in_ptx(std::string_view text) {
    ParameterCounts counts;
    Tokens tokens(text.substr(0, text.find('\0')));
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
        if (token != ".entry") continue;
        const std::string_view symbol = tokens.next();
        std::size_t count = 0;
        for (token = tokens.next(); !token.empty() && token != ")" && token != "{" && token != ";"; token = tokens.next())
            count += token == ".param" ? 1 : 0;
        counts.emplace(symbol, count);
    }
    return counts;
}

}  // namespace

ParameterCounts declared_parameter_counts(Image image) {
    if (begins_with(image, elf64_magic)) return counts_in_cubin(image);
    if (begins_with(image, fatbin_magic)) return {};
    return counts_in_ptx({reinterpret_cast<const char*>(image.data()), image.size()});
}

}  // namespace CUBIND_NAMESPACE::detail
