// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "random_call.hpp"

namespace cubind::testing {
namespace {

// Calls of every function with nonsense for arguments: whatever the layers make of them, they survive it.
class Abuse : public AnsweredTest, public ::testing::WithParamInterface<RandomCall::Pointers> {
protected:
    void SetUp() override {
        AnsweredTest::SetUp();
        bottom.goes_on = true;  // to where objects are tracked
        layers::trace::start({.memory = 1 << 16});
        layers::leaks::start();
        layers::validate::start({.action = layers::validate::Action::fail, .report = [this](const layers::validate::Finding& finding) { findings += !finding.message.empty(); }});
    }
    void TearDown() override {
        any_status = 0;
        AnsweredTest::TearDown();
    }
    int findings = 0;
};

TEST_P(Abuse, DoesNotCrash) {
    std::mt19937 random(11);
    unsigned long calls = 0;
    for (int round = 0; round < 4; ++round) {
        for (const auto* const library : all_libraries()) {
            for (const auto& function : library->functions) {
                RandomCall call(*library, function, random, GetParam());
                bottom.answer = [&](const cubind::Call& arrived) { call.answer(arrived); };
                any_status = function.returns == library->status && random() % 3 == 0 ? 1 : 0;
                call.make();
                ++calls;
            }
        }
        EXPECT_FALSE(layers::trace::recorded().empty());
        layers::leaks::report();
    }
    EXPECT_GE(calls, 4u * 1140u);
    EXPECT_GT(findings, 1000);
}

INSTANTIATE_TEST_SUITE_P(With, Abuse, ::testing::Values(RandomCall::Pointers::valid, RandomCall::Pointers::mixed, RandomCall::Pointers::null));

}  // namespace
}  // namespace cubind::testing
