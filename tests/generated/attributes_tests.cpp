// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// write_attribute_cases.py writes the tables from api.json.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <span>
#include <string>

#include "attribute_cases.hpp"

namespace cubind::testing {
namespace {

using driver::CUdevice_attribute;

std::span<const EnumeratorAccessor> all() {
    return {enumerator_accessors, enumerator_accessor_count};
}

TEST(DeviceAttributesTest, HaveOneAccessorForEachAttribute) {
    std::map<CUdevice_attribute, std::set<std::string>> names;
    std::map<CUdevice_attribute, int> accessors;
    for (const auto& each : all()) {
        names[each.enumerator].insert(each.name);
        accessors[each.enumerator] += each.accessor.call != nullptr ? 1 : 0;
    }
    EXPECT_GE(accessors.size(), 160u);
    for (const auto& [enumerator, count] : accessors) {
        const int expected = enumerator == driver::CU_DEVICE_ATTRIBUTE_MAX ? 0 : 1;
        EXPECT_EQ(count, expected) << *names[enumerator].begin();
    }
}

TEST(DeviceAttributesTest, RequestTheEnumeratorOfTheAccessorOnce) {
    for (const auto& each : all()) {
        if (each.accessor.call == nullptr) continue;
        const Recorder recorder(0);
        each.accessor.call(recorder);
        EXPECT_EQ(recorder.requested, std::vector<CUdevice_attribute>{each.enumerator}) << each.name;
    }
}

TEST(DeviceAttributesTest, ReturnNumbersUnchanged) {
    for (const auto& each : all()) {
        if (each.accessor.call == nullptr || each.accessor.is_yes_or_no) continue;
        for (const int value : {0, 1, -1, 2147483647}) EXPECT_EQ(each.accessor.call(Recorder(value)), value) << each.name;
    }
}

TEST(DeviceAttributesTest, ReturnTrueForEveryNonzeroValue) {
    for (const auto& each : all()) {
        if (!each.accessor.is_yes_or_no) continue;
        EXPECT_EQ(each.accessor.call(Recorder(0)), 0) << each.name;
        for (const int value : {1, 2, -1}) EXPECT_EQ(each.accessor.call(Recorder(value)), 1) << each.name;
    }
}

TEST(DeviceAttributesTest, ReturnBoolForSupportedAndCanAttributes) {
    std::size_t checked = 0;
    for (const auto& each : all()) {
        const std::string name = each.name;
        const bool is_boolean = name.ends_with("_SUPPORTED") || name.find("_ATTRIBUTE_CAN_") != std::string::npos;
        if (!is_boolean || each.accessor.call == nullptr) continue;
        EXPECT_TRUE(each.accessor.is_yes_or_no) << name;
        ++checked;
    }
    EXPECT_GE(checked, 45u);
}

TEST(DeviceAttributesTest, HaveEveryPropertyOfCudaCoreUnderItsName) {
    std::set<std::string> numbers;
    std::set<std::string> yes_or_no;
    for (const auto& each : std::span(cuda_core_accessors, cuda_core_accessor_count)) {
        (each.is_yes_or_no ? yes_or_no : numbers).insert(each.name);
        ASSERT_NE(each.accessor.call, nullptr) << each.name;
        EXPECT_EQ(each.accessor.is_yes_or_no, each.is_yes_or_no) << each.name;
    }
    EXPECT_EQ(numbers.size(), 88u);
    EXPECT_EQ(yes_or_no.size(), 55u);
}

static_assert(Recorder::since(driver::CU_DEVICE_ATTRIBUTE_WARP_SIZE) == 0);
static_assert(Recorder::since(driver::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED) == 12010);
static_assert(Recorder::since(driver::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED) == 13000);
static_assert(Recorder::since(CUdevice_attribute(12345)) == 0);

// A class cannot use the base of another class.
struct Stranger : driver::DeviceAttributes<Recorder> {};
static_assert(!std::is_default_constructible_v<Stranger>);

}  // namespace
}  // namespace cubind::testing
