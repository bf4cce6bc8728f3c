// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver.hpp>
#include <cubind/layers/layer.hpp>

#include <string>
#include <vector>

#include "core_test.hpp"

namespace cubind::testing {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two simulated devices of 1 GiB and no current context.
class ArraysTest : public CoreTest {
protected:
    ArraysTest() : CoreTest({.devices = 2, .memory = std::size_t{1} << 30}) {}

    Device device{0};
};

}  // namespace cubind::testing
