// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_test.hpp"

namespace cubind::testing {
namespace {

class CheckNesting : public ModelTest {
protected:
    void expect_refused(const gen::spec::Facts& facts) const { expect_contains(error(facts), "is made of itself, or of more than 100"); }
};

TEST_F(CheckNesting, refuses_an_alias_of_itself) {
    expect_refused(release("13.4").alias("toyA", "toyA"));
    expect_refused(release("13.4").alias("toyA", "toyB").alias("toyB", "toyA *"));
}

TEST_F(CheckNesting, refuses_a_record_that_holds_itself) {
    expect_refused(release("13.4").record("toyA", 8, {field("inner", "toyB", 0)}).alias("toyB", "toyA"));
}

TEST_F(CheckNesting, is_content_with_a_record_that_points_to_itself) {
    gen::spec::Facts facts = release("13.4").record("toyA", 8, {field("next", "toyB *", 0)}).alias("toyB", "toyA");
    facts.records[0].alignment = 8;
    build(facts);
}

TEST_F(CheckNesting, refuses_a_chain_that_no_header_has) {
    gen::spec::Facts facts = release("13.4").alias("toy0", "int");
    for (int index = 1; index <= 1000; ++index) {
        facts.aliases.push_back(facts.aliases.front());
        facts.aliases.back().name = "toy" + std::to_string(index);
        facts.aliases.back().type = "toy" + std::to_string(index - 1);
    }
    std::reverse(facts.aliases.begin(), facts.aliases.end());
    facts.aliases.front().name = "toyA";  // followed before the others
    expect_refused(facts);
}

}  // namespace
}  // namespace cubind::testing
