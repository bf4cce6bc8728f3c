// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A reset of a device between tests. Each test must run in its own process, because it resets the primary context.

#include "cleanup_failures.hpp"
#include "reset_test.hpp"

namespace cubind::testing {
namespace {

class ResetGpuTest : public cubind::DeviceTest {};

TEST_F(ResetGpuTest, RestoresDefaultsAndKeepsDevicesUsable) {
    count_cleanup_failures();
    expect_defaults_after_reset(device());
    device().set_current();
    expect_defaults_after_reset(device());
    EXPECT_EQ(cleanup_failures, 0);
}

}  // namespace
}  // namespace cubind::testing
