// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/fidelity/classification.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <set>

#include "ptx/fidelity/compared_instructions.hpp"

namespace CUBIND_NAMESPACE::sim {

const char* name_of(Fidelity fidelity) noexcept {
    return fidelity == Fidelity::exact ? "exact" : fidelity == Fidelity::rule ? "rule" : "approximate";
}

namespace ptx {

namespace {

constexpr std::string_view of_the_simulation = "its values are those of the simulation; on a GPU, too, they differ between runs";
constexpr std::string_view of_kernels =
    "on an H200, copies and fills by kernels left the memory unchanged; the simulation performs them";
constexpr std::string_view added_repeatedly =
    "an H200 added more than once for some threads in the shared memory of another block; the simulation adds once";
constexpr std::string_view translated_wrongly =
    "driver 580 translated vectors of 8 small values in the shared memory of other blocks wrongly";

constexpr KnownDifference differences[] = {
    {"%clock", {}, of_the_simulation},
    {"%globaltimer", {}, of_the_simulation},
    {"%nsmid", {}, of_the_simulation},
    {"%smid", {}, of_the_simulation},
    {"%warpid", {}, of_the_simulation},
    {"atom", {".shared::cluster", ".add", "16x2"}, added_repeatedly},
    {"red", {".shared::cluster", ".add", "16x2"}, added_repeatedly},
    {"call __cudaCDP2Memcpy", {}, of_kernels},
    {"call __cudaCDP2Memset", {}, of_kernels},
    {"call vprintf", {}, "an H200 printed formats with * or hh unchanged; the simulation formats them as C does"},
    {"ld", {".shared::cluster", ".v8", "8 "}, translated_wrongly},
    {"ld", {".shared::cluster", ".v8", "16 "}, translated_wrongly},
    {"st", {".shared::cluster", ".v8", "8 "}, translated_wrongly},
    {"st", {".shared::cluster", ".v8", "16 "}, translated_wrongly},
    {"st", {" of 64 bits"}, "ptxas converts a register of 64 bits from double to float; the simulation stores its lower half"},
};

bool matches(const KnownDifference& difference, std::string_view instruction) {
    return instruction.starts_with(difference.begin) && std::ranges::all_of(difference.parts, [&](std::string_view part) {
               return instruction.find(part) != std::string_view::npos;
           });
}

// Removes and returns the first of these modifiers that the text has.
std::string take_one_of(std::string& text, std::initializer_list<std::string_view> modifiers) {
    for (const std::string_view each : modifiers) {
        const std::size_t at = text.find(each);
        if (at == std::string::npos) continue;
        const std::size_t end = at + each.size();
        const bool is_whole = end == text.size() || text[end] == '.' || text[end] == ' ';
        if (!is_whole) continue;
        text.erase(at, each.size());
        return std::string(each);
    }
    return {};
}

// Returns the text with what PTX defines where it has nothing: atomic operations are relaxed and have the scope of the GPU, and
// other accesses are weak. ".uni" only promises that threads do not diverge.
std::string with_defaults(std::string_view instruction) {
    std::string text(instruction);
    const std::string opcode = text.substr(0, text.find('.'));
    if (opcode == "ld" || opcode == "st") take_one_of(text, {".weak"});
    if (opcode == "bra" || opcode == "brx" || opcode == "ret") take_one_of(text, {".uni"});
    if (opcode != "atom" && opcode != "red") return text;
    std::string order = take_one_of(text, {".relaxed", ".acquire", ".release", ".acq_rel"});
    std::string scope = take_one_of(text, {".cta", ".cluster", ".gpu", ".sys"});
    if (order.empty()) order = ".relaxed";
    if (scope.empty()) scope = ".gpu";
    return text.insert(opcode.size(), order + scope);
}

// Returns the compared instructions with their defaults.
const std::set<std::string, std::less<>>& compared_with_defaults() {
    // Never destroyed, because streams may run while the process ends.
    static const auto& all = *new std::set<std::string, std::less<>>([] {
        std::set<std::string, std::less<>> result;
        for (const std::string& each : compared_instructions()) result.insert(with_defaults(each));
        return result;
    }());
    return all;
}

}  // namespace

std::span<const KnownDifference> known_differences() noexcept {
    return differences;
}

Classification classify(std::string_view instruction) {
    for (const KnownDifference& each : differences) {
        if (matches(each, instruction)) return {Fidelity::approximate, std::string(each.reason)};
    }
    if (compared_with_defaults().contains(with_defaults(instruction)))
        return {Fidelity::exact, "a recorded test compared it with an H200"};
    return {Fidelity::rule, "no recorded result of a GPU has this instruction"};
}

}  // namespace ptx

}  // namespace CUBIND_NAMESPACE::sim
