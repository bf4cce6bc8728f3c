// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "correct_program.hpp"
#include "validate_test.hpp"

namespace cubind::testing {
namespace {

class ValidateCorrectProgramTest : public ::testing::Test {
protected:
    void SetUp() override { cubind::sim::install({.devices = 2}); }
    void TearDown() override {
        stop_all_layers();
        cubind::sim::uninstall();
    }
};

TEST_F(ValidateCorrectProgramTest, AcceptsACorrectProgram) {
    Findings findings;
    layers::validate::start(findings.options(layers::validate::Action::fail));
    EXPECT_THAT(CorrectProgram().run(), IsEmpty());
    EXPECT_THAT(findings.messages(), IsEmpty());
    EXPECT_THAT(CorrectProgram().run(), IsEmpty()) << "again";
    EXPECT_THAT(findings.messages(), IsEmpty());
}

TEST_F(ValidateCorrectProgramTest, AcceptsACorrectProgramInManyThreads) {
    Findings findings;
    layers::validate::start(findings.options(layers::validate::Action::fail));
    in_threads(3, [](int) { CorrectProgram().run(); });
    EXPECT_THAT(findings.messages(), IsEmpty());
}

}  // namespace
}  // namespace cubind::testing
