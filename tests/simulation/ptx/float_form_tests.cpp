// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "ptx/handlers/families.hpp"

namespace cubind::testing::float_form_tests {
namespace {

using sim::ptx::Form;

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

// Calls visit for each list of modifiers that a form accepts.
template <class Visit>
void for_each_choice(const std::vector<std::string_view>& groups, std::size_t index, std::vector<std::string_view>& chosen,
                     Visit& visit) {
    if (index == groups.size()) return visit(chosen);
    std::string_view group = groups[index];
    if (group.starts_with('[')) {
        for_each_choice(groups, index + 1, chosen, visit);
        group = group.substr(1, group.size() - 2);
    }
    for (const std::string_view each : split(group, '|')) {
        chosen.push_back(each);
        for_each_choice(groups, index + 1, chosen, visit);
        chosen.pop_back();
    }
}

unsigned bytes_of(std::string_view spec, const sim::ptx::Modifiers& modifiers) {
    if (spec.starts_with('=')) spec.remove_prefix(1);
    if (spec == "t" || spec == "x") return static_cast<unsigned>(std::max(2, sim::ptx::bytes_of_type(modifiers.type())));
    if (spec == "s" || spec == "y") return static_cast<unsigned>(std::max(2, sim::ptx::bytes_of_type(modifiers.type(1))));
    return spec == "b32" ? 4 : 0;
}

TEST(FloatFormTest, HasAHandlerForEachAlternative) {
    const std::set<std::string_view> opcodes = {"add", "sub", "mul", "fma",   "mad",      "div", "sqrt", "rcp", "abs",
                                                "neg", "min", "max", "testp", "copysign", "cvt", "set",  "setp"};
    std::size_t count = 0;
    for (const sim::ptx::Forms& family : sim::ptx::families()) {
        for (const Form& form : family) {
            const bool is_float = form.modifiers.find("f16") != std::string_view::npos ||
                                  form.modifiers.find("f32") != std::string_view::npos ||
                                  form.modifiers.find("f64") != std::string_view::npos || form.opcode == "cvt";
            if (!is_float || !opcodes.contains(form.opcode)) continue;
            const auto operands = split(form.operands, ' ');
            auto visit = [&](const std::vector<std::string_view>& modifiers) {
                ++count;
                std::string text(form.opcode);
                for (const std::string_view each : modifiers) text += each;
                sim::ptx::Statement statement;
                statement.name = form.opcode;
                statement.modifiers = modifiers;
                statement.operands.resize(operands.size());
                sim::ptx::FormMatch match = sim::ptx::form_table().find(statement, 9990, 1000);
                ASSERT_NE(match.form, nullptr) << text << ' ' << match.problem;
                sim::ptx::Choice choice;
                choice.modifiers = match.modifiers;
                for (const std::string_view each : split(match.form->operands, ' ')) {
                    for ([[maybe_unused]] const std::string_view part : split(each, '|')) {
                        choice.bytes[choice.slots++] = static_cast<std::uint8_t>(bytes_of(each, match.modifiers));
                    }
                }
                EXPECT_NE(match.form->select(choice), nullptr) << text;
                const sim::ptx::FormMatch early = sim::ptx::form_table().find(statement, match.form->isa - 1, 1000);
                EXPECT_TRUE(early.form == nullptr || early.form != match.form) << text;
            };
            std::vector<std::string_view> chosen;
            for_each_choice(split(form.modifiers, ' '), 0, chosen, visit);
        }
    }
    EXPECT_GT(count, 2000u);
    RecordProperty("forms", static_cast<int>(count));
    std::printf("%zu forms\n", count);
}

}  // namespace
}  // namespace cubind::testing::float_form_tests
