// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/check/operand_check.hpp"

#include <algorithm>
#include <unordered_set>

#include "ptx/handlers/families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// Modifiers that only unsupported instructions have, so that no form lists them. Modifiers with "::" in their names are omitted.
constexpr std::string_view other_modifiers[] = {
    ".add_noftz",     ".aligned",      ".alloc",      ".arrive",      ".async",     ".block16",
    ".block32",       ".block_scale",  ".bulk",       ".bulk_group",  ".cluster",   ".col",
    ".commit",        ".commit_group", ".complete",   ".complete_tx", ".cp",        ".dealloc",
    ".down",          ".expect_tx",    ".fenceproxy", ".inc",         ".init",      ".inval",
    ".kind",          ".ld",           ".ld_reduce",  ".mbarrier",    ".mma_async", ".mmio",
    ".multicast",     ".noComplete",   ".noinc",      ".num",         ".pack",      ".parity",
    ".pending_count", ".prefetch",     ".proxy",      ".red",         ".reduce",    ".relinquish_alloc_permit",
    ".row",           ".scale_vec",    ".shift",      ".sp",          ".spformat",  ".st",
    ".stmatrix",      ".tensor",       ".tensormap",  ".test_wait",   ".trans",     ".transpose",
    ".try_cancel",    ".try_wait",     ".unpack",     ".wait",        ".wait_all",  ".wait_group",
    ".write",         ".ws",           ".x1",         ".x2",          ".x4",        ".x8",
    ".x16",           ".x32",          ".x64",        ".x128",        ".xor",       ".xorsign",
    ".abs",           ".rs",           ".relu",       ".satfinite",   ".scaled",    ".noftz",
    ".unified",
};

/// What a scalar operand must be.
struct Requirement {
    int bytes = 0;  ///< 0 for predicates
    std::string_view type;
    bool is_minimum = false;  ///< whether registers may be wider
};

std::string text_of(const Requirement& requirement) {
    if (requirement.bytes == 0) return "a predicate";
    return std::to_string(8 * requirement.bytes) + " bits";
}

// Integer types accept registers of integers, .f32 and .f64 accept registers of floats, and all types accept registers of type
// .b. Other types accept each register of their size.
bool is_compatible(char kind_of_register, std::string_view type) noexcept {
    constexpr std::string_view integers[] = {".u8", ".u16", ".u32", ".u64", ".s8", ".s16", ".s32", ".s64"};
    if (kind_of_register == 'b') return true;
    if (std::ranges::find(integers, type) != std::end(integers)) return kind_of_register != 'f';
    return (type != ".f32" && type != ".f64") || kind_of_register == 'f';
}

bool is_integer_type(std::string_view type) noexcept {
    return type.size() > 2 && (type[1] == 'u' || type[1] == 's') && type.find('x') == std::string_view::npos;
}

std::string check_register(const Operand& operand, const Symbol& symbol, const Requirement& requirement) {
    const std::string name = "register '" + std::string(operand.name.substr(0, 80)) + "'";
    if ((symbol.type == 'p') != (requirement.bytes == 0)) {
        return name + (symbol.type == 'p' ? " is a predicate" : " is no predicate");
    }
    const bool has_size = requirement.is_minimum ? symbol.bytes >= requirement.bytes : symbol.bytes == requirement.bytes;
    const bool is_wide_float = symbol.type == 'f' && symbol.bytes != requirement.bytes && requirement.type.starts_with(".f");
    if (!has_size || is_wide_float) {
        return name + " has " + std::to_string(8 * symbol.bytes) + " bits, but the instruction requires " + text_of(requirement);
    }
    if (is_compatible(symbol.type, requirement.type)) return {};
    return name + " is not of the kind of type '" + std::string(requirement.type) + "'";
}

std::string check_scalar(const Operand& operand, const Symbol* symbol, const Requirement& requirement, bool is_written) {
    switch (operand.kind) {
        case Operand::Kind::name:
            if (symbol == nullptr) return {};
            if (symbol->kind == Symbol::Kind::variable) return check_register(operand, *symbol, requirement);
            if (symbol->kind == Symbol::Kind::label) return "a label is no value";
            return {};
        case Operand::Kind::integer:
            if (is_written) return "the destination is no register";
            if (requirement.type == ".f32" || requirement.type == ".f64") return "a whole number is no float";
            return {};
        case Operand::Kind::single:
        case Operand::Kind::floating:
            if (is_written) return "the destination is no register";
            return is_integer_type(requirement.type) ? "a float is no whole number" : std::string{};
        case Operand::Kind::vector:
            return "a vector is not possible";
        case Operand::Kind::address:
            return "an address is not possible";
        default:
            return {};
    }
}

std::string check_vector(const Operand& operand, const Modifiers& modifiers) {
    const std::size_t length = operand.kind == Operand::Kind::vector ? operand.items.size() : 1;
    if (length == modifiers.vector_length()) return {};
    return "the operand has " + std::to_string(length) + " elements, but the type " + std::to_string(modifiers.vector_length());
}

}  // namespace

std::string find_operand_problem(const Operand& operand, const Symbol* symbol, std::string_view spec,
                                 const Modifiers& modifiers) {
    const bool is_written = spec.starts_with('=');
    if (is_written) spec.remove_prefix(1);
    if (spec == "l") return symbol != nullptr && symbol->kind == Symbol::Kind::label ? std::string{} : "a label is required";
    if (spec == "i") return operand.kind == Operand::Kind::integer ? std::string{} : "a number is required";
    if (spec == "m") {
        if (operand.kind != Operand::Kind::address) return "an address in brackets is required";
        return symbol != nullptr && symbol->type == 'p' ? "a predicate is no address" : std::string{};
    }
    if (spec == "v") {
        std::string problem = check_vector(operand, modifiers);
        if (!problem.empty() || operand.kind == Operand::Kind::vector) return problem;
        spec = "x";
    }
    if (const std::size_t bar = spec.find('|'); bar != std::string_view::npos) {
        if (operand.kind == Operand::Kind::pair) return {};
        spec = spec.substr(0, bar);
    }
    Requirement requirement;
    if (spec == "t" || spec == "x") requirement.type = modifiers.type();
    if (spec == "s" || spec == "y") requirement.type = modifiers.type(1);
    requirement.is_minimum = spec == "x" || spec == "y";
    requirement.bytes = bytes_of_operand(requirement.is_minimum ? (spec == "x" ? "t" : "s") : spec, modifiers);
    if (requirement.bytes < 0) return {};
    return check_scalar(operand, symbol, requirement, is_written);
}

std::string_view spec_of_items(std::string_view spec) noexcept {
    return spec == "v" ? "x" : spec == "=v" ? "=x" : "";
}

bool is_modifier(std::string_view modifier) {
    // Never destroyed, because threads may run while the process ends.
    static const auto& known = *new std::unordered_set<std::string_view>([] {
        std::unordered_set<std::string_view> result(std::begin(other_modifiers), std::end(other_modifiers));
        for (const Forms& family : families()) {
            for (const Form& form : family) {
                std::string_view groups = form.modifiers;
                while (!groups.empty()) {
                    std::string_view group = take_part(groups, ' ');
                    if (group.starts_with('[')) group = group.substr(1, group.size() - 2);
                    while (!group.empty()) result.insert(take_part(group, '|'));
                }
            }
        }
        return result;
    }());
    return known.contains(modifier) || modifier.find("::") != std::string_view::npos || bytes_of_type(modifier) >= 0;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
