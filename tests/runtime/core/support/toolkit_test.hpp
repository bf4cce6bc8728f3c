// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>

#include <cstdlib>
#include <string>
#include <vector>

#include "core_test.hpp"

namespace cubind::testing {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace faults = cubind::layers::faults;

/// A test that uses the vendor's compilers and a simulated device, which runs the PTX that they write. All cases share
/// one process and one device.
class ToolkitTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        static const bool is_installed = [] {
            sim::install({.devices = 1});
            set_cleanup_handler([](const char* message) noexcept { cleanup_messages().push_back(message); });
            (void)Device().primary_context();
            return true;
        }();
        ASSERT_TRUE(is_installed);
    }
    void TearDown() override {
        EXPECT_THAT(std::exchange(cleanup_messages(), {}), IsEmpty()) << "the test did not expect these messages";
        layers::leaks::stop();
    }

    /// Makes the sweep of CoreTest accessible.
    struct Shared : CoreTest {
        using CoreTest::sweep;
    };
    static void sweep(const std::function<void()>& operation, const std::vector<std::string>& tolerated) {
        Shared::sweep(operation, tolerated);
    }

    /// Returns the release of the compilers that the test uses: 12090 for 12.9.
    static int release() {
        const std::string text = std::getenv("CUBIND_TEST_RELEASE");
        const std::size_t dot = text.find('.');
        return 1000 * std::stoi(text.substr(0, dot)) + 10 * std::stoi(text.substr(dot + 1));
    }
};

}  // namespace cubind::testing
