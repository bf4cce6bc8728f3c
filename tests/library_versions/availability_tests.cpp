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
#include <set>
#include <span>
#include <string_view>

namespace cubind::testing {
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

struct Name {
    std::string_view name;
    int since;
    int removed;
    unsigned releases;
};

#define NAME(name, since, removed, releases)
#define RELEASE(release) release,
constexpr int driver_releases[] = {
#include "driver_availability.inc"
};
constexpr int runtime_releases[] = {
#include "runtime_availability.inc"
};
constexpr int nvrtc_releases[] = {
#include "nvrtc_availability.inc"
};
constexpr int nvjitlink_releases[] = {
#include "nvjitlink_availability.inc"
};
#undef NAME
#undef RELEASE

#define NAME(name, since, removed, releases) {name, since, removed, releases},
#define RELEASE(release)
constexpr Name driver_names[] = {
#include "driver_availability.inc"
};
constexpr Name runtime_names[] = {
#include "runtime_availability.inc"
};
constexpr Name nvrtc_names[] = {
#include "nvrtc_availability.inc"
};
constexpr Name nvjitlink_names[] = {
#include "nvjitlink_availability.inc"
};

struct Case {
    const char* library;
    std::span<const Availability> table;
    std::span<const Name> names;
    std::span<const int> releases;
    Availability (*find)(std::string_view);
    std::size_t min_names;
    /// Names that, according to the table, exist one release before the first headers that declare them.
    std::set<std::string_view> names_before_headers;
};

void PrintTo(const Case& parameters, std::ostream* out) {
    *out << parameters.library;
}

class AvailabilityTableTest : public ::testing::TestWithParam<Case> {};

TEST_P(AvailabilityTableTest, MatchesTheSpecForEveryName) {
    std::set<std::string_view> names_before_headers;
    for (const Name& expected : GetParam().names) {
        const Availability found = GetParam().find(expected.name);
        EXPECT_EQ(found.name, expected.name);
        EXPECT_EQ(found.since, expected.since) << expected.name;
        EXPECT_EQ(found.removed, expected.removed) << expected.name;
        for (std::size_t index = 0; index < GetParam().releases.size(); ++index) {
            const int release = GetParam().releases[index];
            const bool is_declared = (expected.releases >> index & 1u) != 0;
            if (found.in(release) && !is_declared && release == expected.since) {
                names_before_headers.insert(expected.name);
            } else {
                EXPECT_EQ(found.in(release), is_declared) << expected.name << " in " << release;
            }
        }
    }
    EXPECT_EQ(names_before_headers, GetParam().names_before_headers);
}

TEST_P(AvailabilityTableTest, HasNoOtherName) {
    EXPECT_GE(GetParam().names.size(), GetParam().min_names);
    EXPECT_EQ(GetParam().table.size(), GetParam().names.size());
}

#define CASE(library, min_names, ...)                                                                                      \
    Case {                                                                                                                 \
#library, cubind::library::availability_table, library##_names, library##_releases, cubind::library::availability, \
            min_names, __VA_ARGS__                                                                                         \
    }

INSTANTIATE_TEST_SUITE_P(
    Libraries, AvailabilityTableTest,
    ::testing::Values(
        // The driver of release `since` exports these functions; the headers of that release do not declare them.
        CASE(driver, 2200,
             {"cuGreenCtxGetId", "cuLaunchHostFunc_v2", "cuLaunchHostFunc_v2_ptsz", "cuMemBatchDecompressAsync",
              "cuMemBatchDecompressAsync_ptsz", "cuStreamBeginCaptureToCig", "cuStreamBeginCaptureToCig_ptsz",
              "cuStreamEndCaptureToCig", "cuStreamEndCaptureToCig_ptsz"}),
        CASE(runtime, 1400, {}), CASE(nvrtc, 50, {}), CASE(nvjitlink, 45, {})),
    [](const auto& library) { return library.param.library; });

}  // namespace
}  // namespace cubind::testing
