// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/linker_options.hpp>
#include <cubind/driver/types.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "linker_option_cases.hpp"
#include "program/link/linker_flags.hpp"

namespace cubind::testing {
namespace {

using cubind::detail::driver_options;
using namespace cubind::driver;
using cubind::LinkerOptions;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

TEST(DriverLinkOptionsTest, IsEmptyByDefault) {
    EXPECT_THAT(driver_options(LinkerOptions{}), IsEmpty());
}

TEST(DriverLinkOptionsTest, TranslatesArchitecturesToTargets) {
    const std::pair<const char*, CUjit_target> targets[] = {
        {"sm_75", CU_TARGET_COMPUTE_75},   {"sm_90", CU_TARGET_COMPUTE_90},     {"sm_90a", CU_TARGET_COMPUTE_90A},
        {"sm_120", CU_TARGET_COMPUTE_120}, {"sm_103f", CU_TARGET_COMPUTE_103F}, {"sm_121a", CU_TARGET_COMPUTE_121A}};
    for (const auto& [arch, target] : targets) {
        EXPECT_THAT(driver_options(LinkerOptions{.arch = arch}), ElementsAre(Pair(CU_JIT_TARGET, static_cast<unsigned>(target))))
            << arch;
    }
}

TEST(DriverLinkOptionsTest, TranslatesOptionsOfTheDriver) {
    const LinkerOptions options = {.arch = "sm_80",
                                   .max_register_count = 32,
                                   .time = true,
                                   .verbose = true,
                                   .optimization_level = 2,
                                   .debug = true,
                                   .lineinfo = true,
                                   .split_compile = 4};
    EXPECT_THAT(driver_options(options), ElementsAre(Pair(CU_JIT_TARGET, 80u), Pair(CU_JIT_MAX_REGISTERS, 32u),
                                                     Pair(CU_JIT_WALL_TIME, 0u), Pair(CU_JIT_LOG_VERBOSE, 1u),
                                                     Pair(CU_JIT_OPTIMIZATION_LEVEL, 2u), Pair(CU_JIT_GENERATE_DEBUG_INFO, 1u),
                                                     Pair(CU_JIT_GENERATE_LINE_INFO, 1u), Pair(CU_JIT_SPLIT_COMPILE, 4u)));
}

TEST(DriverLinkOptionsTest, RefusesSplitCompilationOnOlderDrivers) {
    const LinkerOptions options = {.split_compile = 4};
    EXPECT_EQ(driver_options(options, 13000).size(), 1u);
    EXPECT_THAT([&] { static_cast<void>(driver_options(options, 12090)); },
                ThrowsMessage<std::invalid_argument>(
                    AllOf(StartsWith("LinkerOptions::split_compile (CU_JIT_SPLIT_COMPILE=4) needs a driver"),
                          HasSubstr("CUDA 13.0 or newer"), HasSubstr("12.9"))));
}

TEST(DriverLinkOptionsTest, NamesOptionsThatTheDriverDoesNotHave) {
    const std::set<std::string> supported = {"arch",  "max_register_count", "time",         "verbose", "optimization_level",
                                             "debug", "lineinfo",           "split_compile"};
    for (const OptionCase& tried : option_cases()) {
        SCOPED_TRACE(tried.flags.front());
        const auto translate = [&] { static_cast<void>(driver_options(tried.options)); };
        if (tried.options.link_time_optimization) {
            EXPECT_THAT(translate,
                        ThrowsMessage<std::invalid_argument>(StartsWith("LinkerOptions::link_time_optimization is set: ")));
        } else if (supported.contains(tried.option)) {
            EXPECT_NO_THROW(translate());
        } else {
            EXPECT_THAT(translate,
                        ThrowsMessage<std::invalid_argument>(AllOf(
                            StartsWith("LinkerOptions::" + std::string(tried.option) + " is set: "), HasSubstr("nvJitLink"))));
        }
    }
}

}  // namespace
}  // namespace cubind::testing
