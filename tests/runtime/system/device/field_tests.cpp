// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "system_test.hpp"

namespace cubind::testing {
namespace {

using system::FieldValue;
using ::testing::HasSubstr;

class FieldValueTest : public SystemTest {};

TEST_F(FieldValueTest, ReadsABatchInItsOrder) {
    const std::vector<FieldValue> values = gpu_.field_values({1, 2, {4, 2}, nvml::NVML_FI_DEV_NVLINK_LINK_COUNT});
    ASSERT_EQ(values.size(), 4u);
    EXPECT_EQ(values[0].as_double(), 2.5);
    EXPECT_EQ(values[1].as_integer(), -3);
    EXPECT_EQ(values[1].as_double(), -3.0);
    EXPECT_EQ(values[2].as_unsigned(), 42u);
    EXPECT_EQ(values[2].id().scope, 2u);
    EXPECT_EQ(values[3].as_integer(), 3);
    EXPECT_EQ(values[0].timestamp(), std::chrono::microseconds(1000));
    EXPECT_EQ(values[0].latency(), std::chrono::microseconds(10));
}

TEST_F(FieldValueTest, ReadsNothingWithoutACall) {
    define("nvmlDeviceGetFieldValues", [](nvmlDevice_t, int, nvml::nvmlFieldValue_t*) { return nvml::NVML_ERROR_UNKNOWN; });
    EXPECT_TRUE(gpu_.field_values({}).empty());
    EXPECT_NO_THROW(gpu_.clear_field_values({}));
}

TEST_F(FieldValueTest, HasItsOwnStatus) {
    const std::vector<FieldValue> values = gpu_.field_values({99, 1});
    EXPECT_FALSE(values[0].is_available());
    EXPECT_EQ(values[0].status(), nvml::NVML_ERROR_NOT_SUPPORTED);
    EXPECT_TRUE(values[1].is_available());
    const Error error = error_of([&] { static_cast<void>(values[0].as_double()); });
    EXPECT_EQ(error.code(), nvml::NVML_ERROR_NOT_SUPPORTED);
    EXPECT_THAT(error.what(), HasSubstr("99"));
}

TEST_F(FieldValueTest, RefusesConversionsThatChangeTheValue) {
    const std::vector<FieldValue> values = gpu_.field_values({1, 2, 3, 5});
    EXPECT_THROW(static_cast<void>(values[0].as_integer()), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(values[1].as_unsigned()), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(values[2].as_integer()), std::invalid_argument);
    EXPECT_EQ(values[2].as_unsigned(), ~0ull);
    EXPECT_THROW(static_cast<void>(values[3].as_double()), std::invalid_argument) << "an unknown type";
}

TEST_F(FieldValueTest, IsClearedInBatches) {
    EXPECT_NO_THROW(gpu_.clear_field_values({1, 2}));
    const Error error = error_of([&] { gpu_.clear_field_values({1, 99}); });
    EXPECT_EQ(error.code(), nvml::NVML_ERROR_NOT_SUPPORTED);
    EXPECT_THAT(error.what(), HasSubstr("99"));
}

TEST_F(FieldValueTest, CountsLinks) {
    EXPECT_EQ(gpu_.nvlink_count(), 3u);
    EXPECT_EQ(gpu_.nvlinks().at(2).index(), 2u);
    define("nvmlDeviceGetFieldValues", [](nvmlDevice_t, int, nvml::nvmlFieldValue_t* values) {
        values[0].nvmlReturn = nvml::NVML_ERROR_NOT_SUPPORTED;
        return NVML_SUCCESS;
    });
    EXPECT_EQ(gpu_.nvlink_count(), 0u);
    EXPECT_TRUE(gpu_.nvlinks().empty());
}

}  // namespace
}  // namespace cubind::testing
