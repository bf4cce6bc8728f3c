// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/kernel_function.hpp>

#include <string>
#include <vector>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

using layers::validate::Action;

class LaunchValidationTest : public LaunchTest {
protected:
    using LaunchTest::LaunchTest;
    void validate(Action action) {
        layers::validate::start({.action = action,
                                 .report = [this](const layers::validate::Finding& finding) { findings.push_back(finding); },
                                 .unknown_handles = false});
    }
    void launch_wrongly() const { launch_unchecked(stream, {}, saxpy, 2.0, x, x, x); }

    std::vector<layers::validate::Finding> findings;
    Kernel saxpy = kernel("saxpy");
    static constexpr driver::CUdeviceptr x = 16;
};

TEST_F(LaunchValidationTest, WarnsAndLaunches) {
    validate(Action::warn);
    launch_wrongly();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].library, "driver");
    EXPECT_EQ(findings[0].function, "cuLaunchKernelEx");
    EXPECT_EQ(findings[0].parameter, "kernelParams");
    EXPECT_THAT(findings[0].message, AllOf(HasSubstr("cuLaunchKernelEx: kernel \"saxpy\""), HasSubstr("argument 1 has 8 bytes")));
    EXPECT_EQ(layers::validate::findings(), 1u);
    launched();
}

TEST_F(LaunchValidationTest, FailsInsteadOfTheCall) {
    validate(Action::fail);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { launch_wrongly(); }), HasSubstr("argument 1 has 8 bytes"));
    EXPECT_EQ(findings.size(), 1u);
    launch_unchecked(stream, {}, saxpy, 2.0f, x, x, x);
    launched();
    EXPECT_EQ(findings.size(), 1u);
}

TEST_F(LaunchValidationTest, IsNotNeededByLaunch) {
    validate(Action::warn);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { launch(stream, {}, saxpy, 2.0, x, x, x); }),
                HasSubstr("argument 1 has 8 bytes"));
    EXPECT_TRUE(findings.empty());
}

TEST_F(LaunchValidationTest, ComparesOnlyWhileActive) {
    launch_wrongly();
    validate(Action::fail);
    layers::validate::stop();
    launch_wrongly();
    EXPECT_TRUE(findings.empty());
}

class LaunchValidationOn122Test : public LaunchValidationTest {
protected:
    LaunchValidationOn122Test() : LaunchValidationTest(sim::Options{.release = "12.2"}) {}
};

TEST_F(LaunchValidationOn122Test, FindsNothing) {
    validate(Action::fail);
    launch_wrongly();
    launched();
    EXPECT_TRUE(findings.empty());
}

// The layer is active from the first call on, so that it has seen every handle.
TEST(CorrectLaunchTest, HasNoFinding) {
    sim::install();
    std::vector<std::string> findings;
    layers::validate::start({.action = Action::fail,
                             .report = [&](const layers::validate::Finding& finding) { findings.push_back(finding.message); }});
    {
        const Stream stream(Device(0));
        const auto library = check(driver::cuLibraryLoadData(launch_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
        const auto saxpy = Kernel::view_of(check(driver::cuLibraryGetKernel(library, "saxpy")));
        launch_unchecked(stream, {.shared_memory_size = 1000, .priority = 0}, saxpy, 2.0f, nullptr, nullptr, std::size_t{3});
        launch(stream, {.shared_memory_size = 100000, .priority = 0}, saxpy, 2.0f, nullptr, nullptr, std::size_t{3});
        const KernelFunction<void(float, float*, float*, std::size_t)> function(saxpy, stream);
        function(stream, {}, 2, nullptr, nullptr, 3);
        stream.synchronize();
    }
    layers::validate::stop();
    EXPECT_THAT(findings, ::testing::IsEmpty());
    sim::uninstall();
}

}  // namespace
}  // namespace cubind::testing
