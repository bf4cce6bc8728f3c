// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cubind/core/linker_options.hpp>
#include <cubind/driver/types.hpp>

#include "linker_option_cases.hpp"

namespace cubind::testing {
namespace {

using namespace cubind::driver;
using cubind::LinkerOptions;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

TEST(DriverLinkOptions, DefaultsSayNothing) { EXPECT_THAT(LinkerOptions{}.driver_options(), IsEmpty()); }

TEST(DriverLinkOptions, ArchitecturesBecomeTargets) {
    const std::pair<const char*, CUjit_target> targets[] = {{"sm_75", CU_TARGET_COMPUTE_75},     {"sm_90", CU_TARGET_COMPUTE_90},
                                                            {"sm_90a", CU_TARGET_COMPUTE_90A},   {"sm_120", CU_TARGET_COMPUTE_120},
                                                            {"sm_103f", CU_TARGET_COMPUTE_103F}, {"sm_121a", CU_TARGET_COMPUTE_121A}};
    for (const auto& [arch, target] : targets) {
        EXPECT_THAT(LinkerOptions{.arch = arch}.driver_options(), ElementsAre(Pair(CU_JIT_TARGET, static_cast<unsigned>(target)))) << arch;
    }
}

TEST(DriverLinkOptions, WhatTheDriverHasBecomesItsOptions) {
    const LinkerOptions options = {.arch = "sm_80", .max_register_count = 32, .time = true, .verbose = true, .optimization_level = 2,
                                   .debug = true, .lineinfo = true, .split_compile = 4};
    EXPECT_THAT(options.driver_options(),
                ElementsAre(Pair(CU_JIT_TARGET, 80u), Pair(CU_JIT_MAX_REGISTERS, 32u), Pair(CU_JIT_WALL_TIME, 0u), Pair(CU_JIT_LOG_VERBOSE, 1u),
                            Pair(CU_JIT_OPTIMIZATION_LEVEL, 2u), Pair(CU_JIT_GENERATE_DEBUG_INFO, 1u), Pair(CU_JIT_GENERATE_LINE_INFO, 1u),
                            Pair(CU_JIT_SPLIT_COMPILE, 4u)));
}

TEST(DriverLinkOptions, SplittingNeedsADriverThatCan) {
    const LinkerOptions options = {.split_compile = 4};
    EXPECT_EQ(options.driver_options(13000).size(), 1u);
    EXPECT_THAT([&] { static_cast<void>(options.driver_options(12090)); },
                ThrowsMessage<std::invalid_argument>(AllOf(StartsWith("LinkerOptions::split_compile (CU_JIT_SPLIT_COMPILE=4) needs a driver"),
                                                           HasSubstr("CUDA 13.0 or newer, and the one at hand is of CUDA 12.9"))));
}

TEST(DriverLinkOptions, WhatTheDriverHasNoMeansForIsRefusedByName) {
    const std::set<std::string> taken = {"arch", "max_register_count", "time", "verbose", "optimization_level", "debug", "lineinfo",
                                         "split_compile"};
    for (const OptionCase& tried : option_cases()) {
        SCOPED_TRACE(tried.flags.front());
        const auto translate = [&] { static_cast<void>(tried.options.driver_options()); };
        if (tried.options.link_time_optimization) {
            EXPECT_THAT(translate, ThrowsMessage<std::invalid_argument>(StartsWith("LinkerOptions::link_time_optimization is set: ")));
        } else if (taken.contains(tried.option)) {
            EXPECT_NO_THROW(translate());
        } else {
            EXPECT_THAT(translate, ThrowsMessage<std::invalid_argument>(AllOf(
                                       StartsWith("LinkerOptions::" + std::string(tried.option) + " is set: the driver's linker "),
                                       HasSubstr("nvJitLink"))));
        }
    }
}

}  // namespace
}  // namespace cubind::testing
