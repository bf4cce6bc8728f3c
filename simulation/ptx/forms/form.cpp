// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/forms/form.hpp"

#include <algorithm>
#include <iterator>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

bool is_alternative(std::string_view group, std::string_view modifier) {
    while (!group.empty()) {
        if (take_part(group, '|') == modifier) return true;
    }
    return false;
}

// A group matches the first modifier of the text that is one of its alternatives and that no earlier group matched. Types must be
// in the order of their groups. The result has the order of the groups.
bool match_modifiers(std::string_view groups, const std::vector<std::string_view>& modifiers, Modifiers& matched) {
    constexpr std::size_t max_modifiers = 32;
    if (modifiers.size() > max_modifiers) return false;
    matched.clear();
    std::uint32_t used = 0;
    std::size_t types_begin = 0;
    while (!groups.empty()) {
        std::string_view group = take_part(groups, ' ');
        const bool is_optional = group.starts_with('[');
        if (is_optional) group = group.substr(1, group.size() - 2);
        std::size_t found = 0;
        while (found < modifiers.size() && ((used >> found & 1) != 0 || !is_alternative(group, modifiers[found]))) ++found;
        if (found < modifiers.size()) {
            if (bytes_of_type(modifiers[found]) >= 0) {
                if (found < types_begin) return false;
                types_begin = found;
            }
            matched.add(modifiers[found]);
            used |= std::uint32_t{1} << found;
        } else if (!is_optional) {
            return false;
        }
    }
    return used == (std::uint64_t{1} << modifiers.size()) - 1;
}

std::size_t count_parts(std::string_view operands) {
    std::size_t count = 0;
    while (!operands.empty()) {
        take_part(operands, ' ');
        ++count;
    }
    return count;
}

// Checks that operands of type `e` are vectors. Only this distinguishes the forms of mov that have the same number of operands.
bool match_vectors(std::string_view specs, const std::vector<Operand>& operands) {
    for (const Operand& operand : operands) {
        const std::string_view spec = take_part(specs, ' ');
        if ((spec == "e" || spec == "=e") && operand.kind != Operand::Kind::vector) return false;
    }
    return true;
}

}  // namespace

std::string_view take_part(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return part;
}

int bytes_of_operand(std::string_view type, const Modifiers& modifiers) {
    int bytes = 0;
    if (type == "t") {
        bytes = bytes_of_type(modifiers.type());
    } else if (type == "s") {
        bytes = bytes_of_type(modifiers.type(1));
    } else if (type == "w") {
        bytes = 2 * bytes_of_type(modifiers.type());
    } else if (type != "p") {
        bytes = std::string_view("b16") == type   ? 2
                : std::string_view("b32") == type ? 4
                : std::string_view("b64") == type ? 8
                                                  : -1;
    }
    return bytes == 1 ? 2 : bytes;
}

FormTable::FormTable(std::span<const Forms> families) {
    for (const Forms& family : families) {
        for (const Form& form : family) by_opcode_[form.opcode].push_back(&form);
    }
}

// The tables lack forms of texture instructions with further operands. Accesses to memory may have a cache policy as a further
// operand.
bool FormTable::has_wrong_operand_count(const Statement& statement) const {
    const auto found = by_opcode_.find(statement.name);
    if (found == by_opcode_.end() || statement.name == "tex" || statement.name == "tld4") return false;
    constexpr std::string_view accesses[] = {"atom", "ld", "ldu", "prefetch", "red", "st"};
    const bool is_access = std::ranges::find(accesses, statement.name) != std::end(accesses);
    Modifiers modifiers;
    bool has_form = false;
    for (const Form* const form : found->second) {
        if (form->flow == Flow::call || !match_modifiers(form->modifiers, statement.modifiers, modifiers)) continue;
        const std::size_t count = count_parts(form->operands);
        if (count == statement.operands.size() || (is_access && count < statement.operands.size())) return false;
        has_form = true;
    }
    return has_form;
}

FormMatch FormTable::find(const Statement& statement, int version, int target) const {
    FormMatch match;
    const auto found = by_opcode_.find(statement.name);
    if (found == by_opcode_.end()) {
        match.problem = "is not supported by the simulation";
        return match;
    }
    match.problem = "has modifiers or operands that the simulation does not support";
    for (const Form* const form : found->second) {
        if (count_parts(form->operands) != statement.operands.size()) continue;
        if (!match_vectors(form->operands, statement.operands)) continue;
        if (!match_modifiers(form->modifiers, statement.modifiers, match.modifiers)) continue;
        match.is_too_new = form->isa > version || form->target > target;
        if (form->isa > version) {
            match.problem = "requires PTX " + std::to_string(form->isa / 1000) + "." + std::to_string(form->isa % 1000 / 10);
        } else if (form->target > target) {
            match.problem = "requires sm_" + std::to_string(form->target);
        } else {
            match.form = form;
            match.problem.clear();
            match.is_too_new = false;
            return match;
        }
    }
    return match;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
