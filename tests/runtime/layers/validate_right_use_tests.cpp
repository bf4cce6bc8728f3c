// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "right_use.hpp"
#include "validate_test.hpp"

namespace cubind::testing {
namespace {

class ValidateRightUse : public ::testing::Test {
protected:
    void SetUp() override { cubind::sim::install({.devices = 2}); }
    void TearDown() override {
        stop_all_layers();
        cubind::sim::uninstall();
    }
};

TEST_F(ValidateRightUse, IsFoundRight) {
    Findings findings;
    layers::validate::start(findings.options(layers::validate::Action::fail));
    EXPECT_THAT(RightUse().run(), IsEmpty());
    EXPECT_THAT(findings.messages(), IsEmpty());
    EXPECT_THAT(RightUse().run(), IsEmpty()) << "again";
    EXPECT_THAT(findings.messages(), IsEmpty());
}

TEST_F(ValidateRightUse, IsFoundRightInManyThreads) {
    Findings findings;
    layers::validate::start(findings.options(layers::validate::Action::fail));
    in_threads(3, [](int) { RightUse().run(); });
    EXPECT_THAT(findings.messages(), IsEmpty());
}

}  // namespace
}  // namespace cubind::testing
