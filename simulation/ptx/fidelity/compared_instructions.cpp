// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/fidelity/compared_instructions.hpp"

#include <algorithm>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// Instructions that differ in their modifiers only.
struct ComparedInstructions {
    std::string_view opcode;
    std::string_view operands;
    std::string_view modifiers;  ///< a pattern, see Expansion
};

constexpr ComparedInstructions table[] = {
#include "ptx/fidelity/compared_instructions.inc"
};

/// Writes out a pattern: "(.a|.b)(|.c)" stands for ".a", ".a.c", ".b" and ".b.c".
class Expansion {
public:
    explicit Expansion(std::string_view pattern) : rest_(pattern) {}

    std::vector<std::string> alternatives() {
        std::vector<std::string> all = sequence();
        while (accept('|')) std::ranges::move(sequence(), std::back_inserter(all));
        return all;
    }

private:
    bool accept(char mark) noexcept {
        if (!rest_.starts_with(mark)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    std::vector<std::string> sequence() {
        std::vector<std::string> texts = {{}};
        while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
            std::vector<std::string> ends;
            if (accept('(')) {
                ends = alternatives();
                accept(')');
            } else {
                const std::size_t length = std::min(rest_.find_first_of("(|)"), rest_.size());
                ends.emplace_back(rest_.substr(0, length));
                rest_.remove_prefix(length);
            }
            std::vector<std::string> longer;
            for (const std::string& text : texts) {
                for (const std::string& end : ends) longer.push_back(text + end);
            }
            texts = std::move(longer);
        }
        return texts;
    }

    std::string_view rest_;
};

}  // namespace

std::vector<std::string> expand_pattern(std::string_view pattern) {
    return Expansion(pattern).alternatives();
}

// Most processes classify nothing, so the table is written out when it is first needed.
std::span<const std::string> compared_instructions() {
    // Never destroyed, because streams may run while the process ends.
    static const auto& all = *new std::vector<std::string>([] {
        std::vector<std::string> result;
        for (const ComparedInstructions& each : table) {
            const std::string end = each.operands.empty() ? "" : " " + std::string(each.operands);
            for (const std::string& modifiers : expand_pattern(each.modifiers))
                result.push_back(std::string(each.opcode).append(modifiers).append(end));
        }
        std::ranges::sort(result);
        return result;
    }());
    return all;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
