// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fidelity/comparing_tests.hpp"
#include "ptx/fidelity/classification.hpp"
#include "ptx/fidelity/compared_instructions.hpp"
#include "ptx/fidelity/instruction_text.hpp"
#include "ptx/forms/form.hpp"
#include "ptx/handlers/common.hpp"
#include "ptx/handlers/families.hpp"

namespace cubind::testing::classification_tests {

namespace {

using ::testing::HasSubstr;

/// An instruction of a text such as "mov.b64 d, {a}".
sim::ptx::Statement parse(std::string_view text) {
    sim::ptx::Statement statement;
    const std::size_t space = text.find(' ');
    std::string_view head = text.substr(0, space);
    statement.name = head.substr(0, head.find('.'));
    head.remove_prefix(statement.name.size());
    while (!head.empty()) {
        const std::size_t end = std::min(head.find('.', 1), head.size());
        statement.modifiers.push_back(head.substr(0, end));
        head.remove_prefix(end);
    }
    // Brackets of textures contain a comma.
    int depth = 0;
    for (std::size_t i = space; i < text.size(); ++i) {
        if (text[i] == '[' || text[i] == '{') ++depth;
        if (text[i] == ']' || text[i] == '}') --depth;
        if (i != space && (text[i] != ',' || depth != 0)) continue;
        sim::ptx::Operand& operand = statement.operands.emplace_back();
        if (text.substr(i).starts_with(" {") || text.substr(i).starts_with(", {")) operand.kind = sim::ptx::Operand::Kind::vector;
    }
    return statement;
}

// Special registers and calls are no forms.
bool is_form(std::string_view text) {
    return !text.starts_with('%') && !text.starts_with("call ");
}

// Returns the text of an instruction's form, or why it has none.
std::string text_of_form(std::string_view text) {
    const sim::ptx::FormMatch match = sim::ptx::form_table().find(parse(text), 99990, 9999);
    return match.form != nullptr ? sim::ptx::instruction_text(*match.form, match.modifiers) : match.problem;
}

TEST(ComparedInstructionsTest, AreSortedAndDistinct) {
    const auto all = sim::ptx::compared_instructions();
    EXPECT_EQ(std::ranges::adjacent_find(all, std::ranges::greater_equal()), all.end());
    EXPECT_GT(all.size(), 1000u);
}

TEST(ComparedInstructionsTest, AreRowsOfTheTables) {
    for (const std::string& each : sim::ptx::compared_instructions()) {
        if (is_form(each)) {
            EXPECT_EQ(text_of_form(each), each);
        } else if (each.starts_with('%')) {
            std::string name(each);
            if (name.starts_with("%pm")) name.insert(3, "0");  // the registers have numbers
            EXPECT_NE(sim::ptx::find_special_register(name), nullptr) << name;
        }
    }
}

TEST(ComparedInstructionsTest, ArePatterns) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(sim::ptx::expand_pattern(""), Texts{""});
    EXPECT_EQ(sim::ptx::expand_pattern(".a.b"), Texts{".a.b"});
    EXPECT_EQ(sim::ptx::expand_pattern("(.a|.b)(|.c)"), (Texts{".a", ".a.c", ".b", ".b.c"}));
    EXPECT_EQ(sim::ptx::expand_pattern(".a(.b(.c|.d)|.e)"), (Texts{".a.b.c", ".a.b.d", ".a.e"}));
}

// That these tests execute the instructions is checked when they run.
TEST(ComparedInstructionsTest, HaveTestsWithRecordedResults) {
    std::set<std::string> recorded;
    std::ifstream lines(CUBIND_RECORDED_RESULTS);
    for (std::string line; std::getline(lines, line);) recorded.insert(line.substr(0, line.find(' ')));
    std::vector<std::string> instructions;
    for (const auto& [test, each] : comparing_tests()) {
        EXPECT_TRUE(recorded.contains(test)) << test;
        instructions.insert(instructions.end(), each.begin(), each.end());
    }
    std::ranges::sort(instructions);
    EXPECT_TRUE(std::ranges::equal(instructions, sim::ptx::compared_instructions())) << "run scripts/list-compared-instructions";
}

// Returns the text of a row with the first alternative of each group, without the groups that may be absent.
std::string shortest_text(const sim::ptx::Form& form) {
    sim::ptx::Modifiers modifiers;
    std::string_view groups = form.modifiers;
    while (!groups.empty()) {
        std::string_view group = sim::ptx::take_part(groups, ' ');
        if (!group.starts_with('[')) modifiers.add(sim::ptx::take_part(group, '|'));
    }
    return sim::ptx::instruction_text(form, modifiers);
}

TEST(ClassificationTest, ClassifiesEachRow) {
    std::set<const sim::ptx::Form*> compared;
    for (const std::string& each : sim::ptx::compared_instructions()) {
        if (is_form(each)) compared.insert(sim::ptx::form_table().find(parse(each), 99990, 9999).form);
    }
    EXPECT_FALSE(compared.contains(nullptr));
    std::size_t rows = 0;
    for (const sim::ptx::Forms& family : sim::ptx::families()) {
        for (const sim::ptx::Form& form : family) {
            if (form.flow == sim::ptx::Flow::call) continue;  // a call has one text for all its forms
            ++rows;
            const std::string text = shortest_text(form);
            EXPECT_TRUE(text_of_form(text).starts_with(form.opcode)) << text << ' ' << text_of_form(text);
            const sim::ptx::Classification found = sim::ptx::classify(text);
            EXPECT_NE(found.reason, "") << text;
        }
    }
    EXPECT_GT(compared.size(), rows * 2 / 3);
}

TEST(ClassificationTest, KnowsAComparedInstruction) {
    const sim::ptx::Classification found = sim::ptx::classify("add.s32 d, a, b");
    EXPECT_EQ(found.fidelity, sim::Fidelity::exact);
    EXPECT_THAT(found.reason, HasSubstr("compared it with an H200"));
}

TEST(ClassificationTest, DoesNotGuessAboutOtherInstructions) {
    for (const char* const text :
         {"redux.sync.min.f32 d, a, b", "prefetch.global.L1 [a]", "call malloc", "%envreg", "add.s33 d, a, b", ""}) {
        EXPECT_EQ(sim::ptx::classify(text).fidelity, sim::Fidelity::rule) << text;
    }
}

TEST(ClassificationTest, KnowsDifferencesFromGpus) {
    std::set<std::string> reasons;
    for (const char* const text :
         {"%clock", "%clock64", "%globaltimer_lo", "%nsmid", "%smid", "%warpid", "call vprintf",
          "call __cudaCDP2MemcpyAsync_ptsz", "call __cudaCDP2MemsetAsync", "st.global.f32 [a], b of 64 bits",
          "atom.shared::cluster.add.noftz.f16x2 d, [a], b", "red.relaxed.cluster.shared::cluster.add.noftz.bf16x2 [a], b",
          "ld.shared::cluster.v8.b16 d, [a]", "st.shared::cluster.v8.b8 [a], b"}) {
        const sim::ptx::Classification found = sim::ptx::classify(text);
        EXPECT_EQ(found.fidelity, sim::Fidelity::approximate) << text;
        reasons.insert(found.reason);
    }
    for (const sim::ptx::KnownDifference& each : sim::ptx::known_differences()) {
        EXPECT_TRUE(reasons.contains(std::string(each.reason))) << each.begin;
    }
    EXPECT_EQ(sim::ptx::classify("st.global.f32 [a], b").fidelity, sim::Fidelity::exact);
    EXPECT_EQ(sim::ptx::classify("atom.global.add.noftz.f16x2 d, [a], b").fidelity, sim::Fidelity::exact);
}

TEST(ClassificationTest, KnowsTheDefaultsOfPtx) {
    for (const char* const text :
         {"atom.global.add.u32 d, [a], b", "red.global.add.f32 [a], b", "atom.relaxed.shared.cas.b32 d, [a], b, c",
          "red.gpu.add.u32 [a], b", "ld.weak.global.f32 d, [a]", "st.weak.global.f32 [a], b", "bra.uni label", "ret.uni"}) {
        EXPECT_EQ(sim::ptx::classify(text).fidelity, sim::Fidelity::exact) << text;
    }
    EXPECT_EQ(sim::ptx::classify("atom.sys.shared::cta.add.u33 d, [a], b").fidelity, sim::Fidelity::rule);
}

TEST(ClassificationTest, NamesClasses) {
    EXPECT_STREQ(sim::name_of(sim::Fidelity::exact), "exact");
    EXPECT_STREQ(sim::name_of(sim::Fidelity::rule), "rule");
    EXPECT_STREQ(sim::name_of(sim::Fidelity::approximate), "approximate");
}

}  // namespace

}  // namespace cubind::testing::classification_tests
