// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/object_code/global_names.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "errors/misuse.hpp"
#include "launch/ptx_text.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// ---- PTX ------------------------------------------------------------------------------------------------------------------

// Returns the name that a statement declares, such as ".visible .global .align 4 .b8 table[64]", or an empty view.
std::string_view declared_name(std::string_view statement) {
    const bool is_linked = contains_word(statement, ".visible") || contains_word(statement, ".weak");
    const bool is_variable = contains_word(statement, ".global") || contains_word(statement, ".const");
    if (!is_linked || !is_variable) return {};
    const std::string_view declaration = trimmed(statement.substr(0, statement.find_first_of("[=")));
    return declaration.substr(declaration.find_last_of(" \t\r\n") + 1);
}

bool is_function(std::string_view statement) noexcept {
    return contains_word(statement, ".entry") || contains_word(statement, ".func");
}

std::vector<std::string> names_in_ptx(std::string_view ptx) {
    const std::string text = without_comments(ptx);
    std::vector<std::string> names;
    std::string_view rest = text;
    while (!rest.empty()) {
        std::size_t end = std::min(rest.find_first_of(";{"), rest.size());
        const std::string_view statement = rest.substr(0, end);
        if (end < rest.size() && rest[end] == '{' && is_function(statement)) {
            for (int depth = 1; depth != 0 && ++end < rest.size();) depth += (rest[end] == '{') - (rest[end] == '}');
        } else {
            end = std::min(rest.find(';'), rest.size());  // the braces of initial values
            if (const std::string_view name = declared_name(statement); !name.empty()) names.emplace_back(name);
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
}

// ---- cubins ---------------------------------------------------------------------------------------------------------------

/// The bytes of an ELF file of 64 bits. All functions check that they read within the file.
class Elf {
public:
    explicit Elf(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

    std::vector<std::string> variables() const {
        constexpr std::uint32_t symbol_table = 2;
        std::vector<std::string> names;
        for (std::size_t i = 0; i < section_count(); ++i) {
            if (read<std::uint32_t>(section(i) + 4) == symbol_table) add_variables(section(i), names);
        }
        return names;
    }

private:
    template <class Number>
    Number read(std::uint64_t offset) const {
        Number number;
        if (offset > bytes_.size() || bytes_.size() - offset < sizeof number) throw_damaged();
        std::memcpy(&number, bytes_.data() + offset, sizeof number);
        return number;
    }

    std::string_view text(std::uint64_t offset) const {
        if (offset >= bytes_.size()) throw_damaged();
        const std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + offset, bytes_.size() - offset);
        return rest.substr(0, rest.find('\0'));
    }

    std::size_t section_count() const { return read<std::uint16_t>(60); }
    std::uint64_t section(std::size_t index) const {
        if (index >= section_count()) throw_damaged();
        return read<std::uint64_t>(40) + index * read<std::uint16_t>(58);
    }
    std::uint64_t start_of(std::uint64_t header) const { return read<std::uint64_t>(header + 24); }
    std::string_view name_of(std::size_t index) const {
        return text(start_of(section(read<std::uint16_t>(62))) + read<std::uint32_t>(section(index)));
    }

    void add_variables(std::uint64_t table, std::vector<std::string>& names) const {
        constexpr std::size_t symbol_size = 24;
        constexpr unsigned char object = 1;
        constexpr unsigned char local = 0;
        constexpr std::size_t first_reserved_section = 0xFF00;
        const std::uint64_t strings = start_of(section(read<std::uint32_t>(table + 40)));
        const std::uint64_t count = read<std::uint64_t>(table + 32) / symbol_size;
        if (count > bytes_.size() / symbol_size) throw_damaged();
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t symbol = start_of(table) + i * symbol_size;
            const auto info = read<unsigned char>(symbol + 4);
            const std::size_t index = read<std::uint16_t>(symbol + 6);
            if ((info & 15) != object || info >> 4 == local || index == 0 || index >= first_reserved_section) continue;
            const std::string_view place = name_of(index);
            if (place.starts_with(".nv.global") || place.starts_with(".nv.constant"))
                names.emplace_back(text(strings + read<std::uint32_t>(symbol)));
        }
    }

    [[noreturn]] static void throw_damaged() { throw_misuse("ObjectCode::globals(): the cubin is damaged"); }

    std::span<const std::byte> bytes_;
};

}  // namespace

std::vector<std::string> global_names(const ObjectCodeState& code) {
    const std::span<const std::byte> bytes = code.bytes().span();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with("\x7F"
                         "ELF\x02\x01"))
        return Elf(bytes).variables();
    if (code.kind() == CodeType::ptx) return names_in_ptx(text);
    throw_misuse("ObjectCode::globals(): the names of variables are known of PTX and of cubins, and this code is a ",
                 code.title());
}

}  // namespace CUBIND_NAMESPACE::detail
