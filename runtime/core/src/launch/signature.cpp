// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/signature.hpp"

#include <cubind/core/launch/detail/kernel_argument.hpp>

#include <algorithm>
#include <charconv>

#include "errors/misuse.hpp"
#include "launch/ptx_text.hpp"
#include "platform/demangled_name.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

constexpr std::size_t npos = std::string_view::npos;

/// Splits text at commas that no brackets enclose.
std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> parts;
    if (trimmed(text).empty()) return parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (std::string_view("([{<").find(text[i]) != npos) ++depth;
        if (std::string_view(")]}>").find(text[i]) != npos) --depth;
        if (text[i] != ',' || depth != 0) continue;
        parts.push_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
}

// ---- mangled names --------------------------------------------------------------------------------------------------------

struct NamedType {
    std::string_view name;
    ArgumentKind kind;
    std::size_t size;
};

// On the platforms of CUDA, a long of a device has the size of a long of the host.
constexpr NamedType named_types[] = {
    {"float", floating_value, 4},
    {"double", floating_value, 8},
    {"int", integer_value, 4},
    {"unsigned int", integer_value, 4},
    {"long", integer_value, sizeof(long)},
    {"unsigned long", integer_value, sizeof(long)},
    {"long long", integer_value, 8},
    {"unsigned long long", integer_value, 8},
    {"short", integer_value, 2},
    {"unsigned short", integer_value, 2},
    {"char", integer_value, 1},
    {"signed char", integer_value, 1},
    {"unsigned char", integer_value, 1},
    {"bool", integer_value, 1},
};

std::string_view without_qualifiers(std::string_view type) noexcept {
    for (const std::string_view qualifier : {" const", " volatile", " __restrict"}) {
        if (type.ends_with(qualifier)) return without_qualifiers(type.substr(0, type.size() - qualifier.size()));
    }
    return type;
}

NamedType type_named(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(named_types, without_qualifiers(name), &NamedType::name);
    return found != std::end(named_types) ? *found : NamedType{{}, any_value, 0};
}

ParameterType cpp_parameter(std::string_view text) {
    const std::string_view type = without_qualifiers(text);
    if (!type.empty() && (type.back() == '*' || type.back() == '&')) {
        const NamedType element = type_named(type.substr(0, type.size() - 1));
        return {std::string(text), pointer_code(element.kind, element.size), sizeof(void*)};
    }
    const NamedType found = type_named(type);
    return {std::string(text), found.kind, found.size};
}

// Reads a function's name as the demangler prints it: "void scale<float>(float*, int)".
Signature read_demangled(std::string_view text) {
    if (text.empty() || text.back() != ')') return {};
    std::size_t open = text.size() - 1;
    for (int depth = 1; depth != 0 && open-- > 0;) depth += (text[open] == ')') - (text[open] == '(');
    if (open >= text.size()) return {};
    Signature signature;
    signature.is_known = true;
    const std::string_view name = text.substr(0, open);
    signature.name = name.starts_with("void ") ? name.substr(5) : name;
    for (const std::string_view parameter : split(text.substr(open + 1, text.size() - open - 2))) {
        if (parameter != "void") signature.parameters.push_back(cpp_parameter(parameter));
    }
    return signature;
}

// ---- PTX ------------------------------------------------------------------------------------------------------------------

// Returns what follows the name of the entry `symbol`, or an empty view.
std::string_view after_entry(std::string_view ptx, std::string_view symbol) noexcept {
    constexpr std::string_view directive = ".entry";
    for (std::size_t at = ptx.find(directive); at != npos; at = ptx.find(directive, at + 1)) {
        const std::size_t name = ptx.find_first_not_of(" \t\r\n", at + directive.size());
        if (name == npos || !ptx.substr(name).starts_with(symbol)) continue;
        const std::string_view rest = ptx.substr(name + symbol.size());
        if (rest.empty() || !is_in_name(rest.front())) return rest;
    }
    return {};
}

// Reads `.param .align 8 .b8 name[16]`, `.param .u64 .ptr .global .align 4 name` and so on.
ParameterType ptx_parameter(std::string_view text) {
    constexpr std::string_view spaces = " \t\r\n";
    const std::size_t bracket = text.find('[');
    std::size_t count = 1;
    if (bracket != npos) std::from_chars(text.data() + bracket + 1, text.data() + text.size(), count);
    for (std::size_t at = text.find('.'); at != npos; at = text.find('.', at + 1)) {
        const std::string_view type = text.substr(at + 1, text.find_first_of(spaces, at) - at - 1);
        if (type.size() < 2 || std::string_view("busf").find(type[0]) == npos) continue;
        std::size_t bits = 0;
        const auto [end, error] = std::from_chars(type.data() + 1, type.data() + type.size(), bits);
        if (error != std::errc() || end != type.data() + type.size() || bits % 8 != 0) continue;
        const ArgumentKind kind = bracket != npos || type[0] == 'b' ? any_value : type[0] == 'f' ? floating_value : integer_value;
        std::string name = concat(".", type);
        if (bracket != npos) name.append(text.substr(bracket));
        return {name, kind, bits / 8 * count};
    }
    return {std::string(text), any_value, 0};
}

Signature read_ptx(const std::string& symbol, std::string_view ptx) {
    Signature signature{.name = symbol};
    const std::string_view rest = symbol.empty() ? std::string_view() : after_entry(ptx, symbol);
    if (rest.empty()) return signature;
    // The list ends before the body. Names and attributes in it have no parentheses.
    const std::string head = without_comments(rest.substr(0, rest.find('{')));
    const std::string_view text = trimmed(head);
    signature.is_known = true;
    if (!text.starts_with('(')) return signature;
    for (const std::string_view parameter : split(text.substr(1, text.find(')') - 1)))
        signature.parameters.push_back(ptx_parameter(parameter));
    return signature;
}

}  // namespace

bool Signature::agrees_with(const ParameterList& list) const noexcept {
    if (!is_known || list.read == ParametersRead::none) return false;
    const bool has_number =
        list.read == ParametersRead::all ? parameters.size() == list.sizes.size() : parameters.size() >= list.sizes.size();
    return has_number &&
           std::equal(list.sizes.begin(), list.sizes.end(), parameters.begin(),
                      [](unsigned int size, const ParameterType& type) { return type.size == 0 || type.size == size; });
}

std::string Signature::to_string() const {
    std::string text = name + "(";
    for (const ParameterType& each : parameters) text.append(&each == parameters.data() ? "" : ", ").append(each.text);
    return text.append(")");
}

Signature signature_of(const std::string& symbol, std::string_view ptx) {
    if (const std::string text = demangled_name(symbol.c_str()); !text.empty()) {
        Signature signature = read_demangled(text.c_str());
        if (signature.is_known) return signature;
    }
    return read_ptx(symbol, ptx);
}

bool is_wrong_type(unsigned char given, unsigned char expected) noexcept {
    const int given_kind = given & 3;
    const int expected_kind = expected & 3;
    if (given_kind == any_value || expected_kind == any_value) return false;
    if (given_kind == pointer_value && expected_kind == pointer_value) {
        const auto given_element = given >> 2;
        const auto expected_element = expected >> 2;
        return (given_element & 3) != any_value && (expected_element & 3) != any_value && given_element != expected_element;
    }
    return (given_kind == floating_value) != (expected_kind == floating_value);
}

std::string describe_type(unsigned char code, std::size_t size) {
    switch (code & 3) {
        case integer_value:
            return concat("an integer of ", size, " bytes");
        case floating_value:
            return size == 4 ? "a float" : size == 8 ? "a double" : concat("a floating-point number of ", size, " bytes");
        case pointer_value: {
            const std::size_t element_size = std::size_t{1} << (code >> 4);
            if ((code >> 2 & 3) == floating_value) return element_size == 4 ? "a pointer to float" : "a pointer to double";
            return (code >> 2 & 3) == integer_value ? concat("a pointer to integers of ", element_size, " bytes") : "a pointer";
        }
        default:
            return concat("a value of ", size, " bytes");
    }
}

}  // namespace CUBIND_NAMESPACE::detail
