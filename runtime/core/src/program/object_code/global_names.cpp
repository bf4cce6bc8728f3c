// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/object_code/global_names.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "errors/misuse.hpp"
#include "launch/ptx_text.hpp"
#include "platform/elf_format.hpp"
#include "platform/elf_image.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// The driver finds variables of local linkage, too. NVRTC makes all variables local that no other code can name.

// Returns whether the compiler has chosen the name, such as that of a string literal.
bool is_of_compiler(std::string_view name) noexcept {
    return name.starts_with('$');
}

// ---- PTX ------------------------------------------------------------------------------------------------------------------

// Returns the name that a statement declares, such as ".visible .global .align 4 .b8 table[64]", or an empty view.
std::string_view declared_name(std::string_view statement) {
    const bool is_variable = contains_word(statement, ".global") || contains_word(statement, ".const");
    if (!is_variable || contains_word(statement, ".extern")) return {};
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
            const std::string_view name = declared_name(statement);
            if (!name.empty() && !is_of_compiler(name)) names.emplace_back(name);
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
}

// ---- cubins ---------------------------------------------------------------------------------------------------------------

bool is_variable(const ElfImage& image, const ElfImage::Symbol& symbol) {
    if (type_of(symbol.facts) != elf::SymbolType::object || symbol.section == 0 || is_of_compiler(symbol.name)) return false;
    const std::string_view place = image.sections()[symbol.section].name;
    return place.starts_with(".nv.global") || place.starts_with(".nv.constant");
}

std::vector<std::string> names_in_cubin(std::string_view bytes) try {
    ElfImage image(bytes);
    std::vector<std::string> names;
    for (const ElfImage::Symbol& symbol : image.read_symbols()) {
        if (is_variable(image, symbol)) names.emplace_back(symbol.name);
    }
    return names;
} catch (const DamagedFile& damage) {
    throw_misuse("ObjectCode::globals(): the cubin is damaged: ", damage.what());
}

}  // namespace

std::vector<std::string> global_names(const ObjectCodeState& code) {
    const std::span<const std::byte> bytes = code.bytes().span();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(elf::magic_64)) return names_in_cubin(text);
    if (code.kind() == CodeType::ptx) return names_in_ptx(text);
    throw_misuse("ObjectCode::globals(): the names of variables are known of PTX and of cubins, and this code is a ",
                 code.title());
}

}  // namespace CUBIND_NAMESPACE::detail
