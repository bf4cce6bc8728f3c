// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/decode/scope.hpp"

#include <charconv>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

// Finds a register of a group: %r12 is number 12 of %r, or number 2 of %r1.
std::optional<Symbol> find_in_groups(const std::map<std::string_view, Symbol>& names, std::string_view name) {
    for (std::size_t digits = 1; digits < name.size() && is_digit(name[name.size() - digits]); ++digits) {
        const std::string_view number = name.substr(name.size() - digits);
        if (number.size() > 1 && number.starts_with('0')) continue;
        const auto group = names.find(name.substr(0, name.size() - digits));
        if (group == names.end() || group->second.kind != Symbol::Kind::registers) continue;
        std::uint32_t index = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
        if (error != std::errc() || index >= group->second.count) continue;
        Symbol symbol = group->second;
        symbol.kind = Symbol::Kind::variable;
        symbol.index += index;
        return symbol;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Symbol> Scopes::find(std::string_view name) const {
    for (auto scope = names_.rbegin(); scope != names_.rend(); ++scope) {
        const auto found = scope->find(name);
        if (found != scope->end() && found->second.kind != Symbol::Kind::registers) return found->second;
        if (auto in_group = find_in_groups(*scope, name)) return in_group;
    }
    return std::nullopt;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
