// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the table of names and releases with every name of api.json.
#include <cubind/driver/availability.hpp>
#include <cubind/nvjitlink/availability.hpp>
#include <cubind/nvrtc/availability.hpp>
#include <cubind/runtime/availability.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "availability_case.hpp"

namespace cubind::testing {

// Prints the name of a library instead of the bytes of the struct.
static void PrintTo(const AvailabilityCase& parameters, std::ostream* out) {
    *out << parameters.library;
}

namespace {

using cubind::Availability;

static_assert(cubind::driver::availability("cuInit").in(12000));
static_assert(cubind::driver::availability("cuCtxCreate").in(12000), "a public name");
static_assert(!cubind::driver::availability("cuCtxCreate_v4").in(12040));
static_assert(cubind::driver::availability("cuCtxCreate_v4").in(12050));
static_assert(cubind::driver::availability("cuFuncGetParamInfo").since == 12040);
static_assert(cubind::driver::availability("CUgraphConditionalHandle").since == 12030, "a type");
static_assert(cubind::driver::availability("CUDA_MEM_ALLOC_NODE_PARAMS_st").removed == 12020, "a struct");
static_assert(cubind::driver::availability("CU_TARGET_COMPUTE_101").in(12090), "an enumerator");
static_assert(!cubind::driver::availability("CU_TARGET_COMPUTE_101").in(13000));
static_assert(cubind::driver::availability("RESOURCE_ABI_VERSION").in(13000), "a constant");
static_assert(!cubind::driver::availability("RESOURCE_ABI_VERSION").in(13010));
static_assert(cubind::driver::availability("cuNoSuchFunction").name.empty());
static_assert(!cubind::driver::availability("cuNoSuchFunction").in(13040));
static_assert(!cubind::driver::availability("").in(13040));
static_assert(!cubind::driver::availability("zzz").in(13040));
static_assert(!cubind::runtime::availability("cudaThreadExit").in(13000));
static_assert(cubind::runtime::availability("cudaThreadExit").in(12090));
static_assert(cubind::nvrtc::availability("nvrtcGetNVVM").removed == 13000);
static_assert(cubind::nvjitlink::availability("nvJitLinkVersion").since == 12030);

class AvailabilityTableTest : public ::testing::TestWithParam<AvailabilityCase> {};

TEST_P(AvailabilityTableTest, MatchesTheSpecForEveryName) {
    for (const AvailabilityName& expected : GetParam().names) {
        const Availability found = GetParam().find(expected.name);
        EXPECT_EQ(found.name, expected.name);
        EXPECT_EQ(found.since, expected.since) << expected.name;
        EXPECT_EQ(found.removed, expected.removed) << expected.name;
        for (std::size_t index = 0; index < GetParam().releases.size(); ++index) {
            const int release = GetParam().releases[index];
            const bool is_declared = (expected.releases >> index & 1u) != 0;
            EXPECT_EQ(found.in(release), is_declared) << expected.name << " in " << release;
        }
    }
}

TEST_P(AvailabilityTableTest, HasNoOtherName) {
    EXPECT_GT(GetParam().names.size(), 0u);
    EXPECT_EQ(GetParam().table.size(), GetParam().names.size());
}

INSTANTIATE_TEST_SUITE_P(Libraries, AvailabilityTableTest, ::testing::ValuesIn(availability_cases()),
                         [](const auto& library) { return std::string(library.param.library); });

}  // namespace
}  // namespace cubind::testing
