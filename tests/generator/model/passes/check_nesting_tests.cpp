// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_test.hpp"

namespace cubind::testing {
namespace {

class CheckNestingTest : public ModelTest {
protected:
    void expect_rejected(const gen::spec::Facts& facts) const {
        expect_contains(error(facts), "contains itself, or its types are nested more than 100");
    }
};

TEST_F(CheckNestingTest, RejectsAnAliasOfItself) {
    expect_rejected(release("13.4").alias("toyA", "toyA"));
    expect_rejected(release("13.4").alias("toyA", "toyB").alias("toyB", "toyA *"));
}

TEST_F(CheckNestingTest, RejectsARecordThatHoldsItself) {
    expect_rejected(release("13.4").record("toyA", 8, {field("inner", "toyB", 0)}).alias("toyB", "toyA"));
}

TEST_F(CheckNestingTest, AcceptsARecordThatPointsToItself) {
    gen::spec::Facts facts = release("13.4").record("toyA", 8, {field("next", "toyB *", 0)}).alias("toyB", "toyA");
    facts.records[0].alignment = 8;
    build(facts);
}

TEST_F(CheckNestingTest, RejectsAnExcessiveChain) {
    gen::spec::Facts facts = release("13.4").alias("toy0", "int");
    for (int index = 1; index <= 1000; ++index) {
        facts.aliases.push_back(facts.aliases.front());
        facts.aliases.back().name = "toy" + std::to_string(index);
        facts.aliases.back().type = "toy" + std::to_string(index - 1);
    }
    std::reverse(facts.aliases.begin(), facts.aliases.end());
    facts.aliases.front().name = "toyA";  // sorts before the other names
    expect_rejected(facts);
}

}  // namespace
}  // namespace cubind::testing
