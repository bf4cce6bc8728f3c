// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// <cubind/core.hpp> does not include this header, which needs GoogleTest.

#include <cubind/core/device/device.hpp>
#include <cubind/core/testing/detail/test_device.hpp>

#include <gtest/gtest.h>

#include <string>

namespace CUBIND_NAMESPACE {

/// A GoogleTest fixture for tests on a GPU: the device has been reset before each test and is reset after it (Device::reset()),
/// so that limits, access to peers and memory that a test leaves do not affect the next one. Without the device, tests are
/// skipped. Tests of one process run one after another; processes do not affect each other.
///
///     class PipelineTest : public cubind::DeviceTest {
///     protected:
///         void SetUp() override {
///             DeviceTest::SetUp();
///             if (!IsSkipped()) stream = cubind::Stream(device());
///         }
///         cubind::Stream stream;
///     };
class DeviceTest : public ::testing::Test {
protected:
    /// Selects the device with this ordinal.
    explicit DeviceTest(int ordinal = 0) noexcept : ordinal_(ordinal) {}

    /// Resets the device after the members of a derived fixture are destroyed. Restores the resource of
    /// Device::set_memory_resource(). The test fails if that is not possible.
    ~DeviceTest() override {
        if (const std::string why = test_device_.end(); !why.empty()) {
            ADD_FAILURE() << "the device was not reset after the test: " << why;
        }
    }

    /// Resets the device. Skips the test if there is none with this ordinal. A SetUp() of a derived fixture calls this function
    /// first, and returns if IsSkipped().
    void SetUp() override {
        if (const std::string why = test_device_.begin(ordinal_); !why.empty()) GTEST_SKIP() << why;
    }

    /// Returns the device. Throws std::bad_optional_access before SetUp().
    [[nodiscard]] Device device() const { return test_device_.device().value(); }

private:
    int ordinal_;
    detail::TestDevice test_device_;
};

}  // namespace CUBIND_NAMESPACE
