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
#include "platform/elf_format.hpp"

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

/// The bytes of a 64-bit ELF file. All functions check that they read within the file.
class Elf {
public:
    explicit Elf(std::span<const std::byte> bytes) : bytes_(bytes), header_(read<elf::FileHeader>(0)) {}

    std::vector<std::string> variables() const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < header_.section_count; ++i) {
            if (const auto table = section(i); table.type == elf::symbol_table) add_variables(table, names);
        }
        return names;
    }

private:
    template <class Part>
    Part read(std::uint64_t offset) const {
        Part part;
        if (offset > bytes_.size() || bytes_.size() - offset < sizeof part) throw_damaged();
        std::memcpy(&part, bytes_.data() + offset, sizeof part);
        return part;
    }
    elf::SectionHeader section(std::size_t index) const {
        if (index >= header_.section_count) throw_damaged();
        return read<elf::SectionHeader>(header_.sections + index * sizeof(elf::SectionHeader));
    }
    std::string_view text(std::uint64_t offset) const {
        if (offset >= bytes_.size()) throw_damaged();
        const std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + offset, bytes_.size() - offset);
        return rest.substr(0, rest.find('\0'));
    }

    void add_variables(const elf::SectionHeader& table, std::vector<std::string>& names) const {
        constexpr int binding_shift = 4;
        const std::uint64_t count = table.size / sizeof(elf::Symbol);
        if (count > bytes_.size() / sizeof(elf::Symbol)) throw_damaged();
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto symbol = read<elf::Symbol>(table.offset + i * sizeof(elf::Symbol));
            const bool is_local = symbol.info >> binding_shift == 0;
            if (type_of(symbol) != elf::SymbolType::object || is_local || symbol.section == 0 ||
                symbol.section >= elf::first_special_index)
                continue;
            const std::string_view place = text(section(header_.names).offset + section(symbol.section).name);
            if (place.starts_with(".nv.global") || place.starts_with(".nv.constant"))
                names.emplace_back(text(section(table.link).offset + symbol.name));
        }
    }

    [[noreturn]] static void throw_damaged() { throw_misuse("ObjectCode::globals(): the cubin is damaged"); }

    std::span<const std::byte> bytes_;
    elf::FileHeader header_;
};

}  // namespace

std::vector<std::string> global_names(const ObjectCodeState& code) {
    const std::span<const std::byte> bytes = code.bytes().span();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(elf::magic_64)) return Elf(bytes).variables();
    if (code.kind() == CodeType::ptx) return names_in_ptx(text);
    throw_misuse("ObjectCode::globals(): the names of variables are known of PTX and of cubins, and this code is a ",
                 code.title());
}

}  // namespace CUBIND_NAMESPACE::detail
