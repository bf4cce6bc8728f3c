// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/error.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace cubind::testing {

/// Device 0 of a GPU and a stream. Without a GPU, the tests are skipped: a derived SetUp() must return if IsSkipped().
class DeviceGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        try {
            device.emplace();
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        stream = Stream(*device);
    }

    std::optional<Device> device;
    Stream stream;
};

}  // namespace cubind::testing
