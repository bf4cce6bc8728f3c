// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "random_call.hpp"

namespace cubind::testing {
namespace {

// Calls every function with random arguments. No layer may crash.
class AbuseTest : public StubbedTest {
protected:
    void SetUp() override {
        StubbedTest::SetUp();
        stub.passes_on = true;  // below the stub, objects are tracked
        layers::trace::start({.memory = 1 << 16});
        layers::leaks::start();
        layers::validate::start(
            {.action = layers::validate::Action::fail,
             .report = [this](const layers::validate::Finding& finding) { findings += !finding.message.empty(); }});
    }
    void TearDown() override {
        stub_status = 0;
        StubbedTest::TearDown();
    }
    int findings = 0;
};

class AbuseWithPointersTest : public AbuseTest, public ::testing::WithParamInterface<RandomCall::Pointers> {};

TEST_P(AbuseWithPointersTest, HandlesRandomArguments) {
    std::mt19937 random(11);
    unsigned long calls = 0;
    for (int round = 0; round < 4; ++round) {
        for (const auto* const library : all_libraries()) {
            for (const auto& function : library->functions) {
                RandomCall call(*library, function, random, GetParam());
                stub.answer = [&](const cubind::Call& arrived) { call.answer(arrived); };
                stub_status = function.returns == library->status && random() % 3 == 0 ? 1 : 0;
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

// The driver rejects such calls before it follows a pointer, so layers must not follow one either.
TEST_F(AbuseTest, HandlesRefusedCallsWithUnreadablePointers) {
    layers::validate::start({.report = [this](const auto& finding) { findings += !finding.message.empty(); }});
    std::mt19937 random(13);
    stub.answer = [](const cubind::Call&) {};
    for (int round = 0; round < 8; ++round) {
        for (const auto* const library : all_libraries()) {
            for (const auto& function : library->functions) {
                stub_status = function.returns == library->status ? 1 : 0;
                RandomCall(*library, function, random, RandomCall::Pointers::unreadable).make();
            }
        }
        EXPECT_FALSE(layers::trace::recorded().empty());
    }
    EXPECT_GT(findings, 1000);
}

INSTANTIATE_TEST_SUITE_P(With, AbuseWithPointersTest,
                         ::testing::Values(RandomCall::Pointers::valid, RandomCall::Pointers::mixed, RandomCall::Pointers::null));

}  // namespace
}  // namespace cubind::testing
