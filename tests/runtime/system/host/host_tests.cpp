// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <thread>
#include <vector>

#include "system_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

class HostTest : public SystemTest {};

TEST_F(HostTest, ReturnsVersions) {
    EXPECT_TRUE(system::is_available());
    EXPECT_EQ(system::driver_version(), "580.65.06");
    EXPECT_EQ(system::cuda_version(), (system::Version{13, 2}));
    EXPECT_LT(system::cuda_version(), (system::Version{14, 0}));
    EXPECT_EQ(system::driver_branch(), "r580_00");
    EXPECT_EQ(system::nvml_version(), "13.580.65");
}

TEST_F(HostTest, ReturnsNamesOfProcesses) {
    EXPECT_EQ(system::process_name(42), "/usr/bin/app");
    EXPECT_EQ(error_of([] { static_cast<void>(system::process_name(43)); }).code(), nvml::NVML_ERROR_NOT_FOUND);
}

TEST_F(HostTest, InitializesOnceAndNeverShutsDown) {
    define("nvmlShutdown", []() -> nvmlReturn_t {
        ADD_FAILURE() << "NVML was shut down";
        return NVML_SUCCESS;
    });
    EXPECT_EQ(initializations(), 0);
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([] { EXPECT_EQ(system::Device::count(), 2u); });
    for (std::thread& each : threads) each.join();
    static_cast<void>(system::driver_version());
    EXPECT_EQ(initializations(), 1);
}

TEST_F(HostTest, InitializesAgainAfterAFailure) {
    define("nvmlInit_v2", []() -> nvmlReturn_t {
        static bool has_driver = false;
        return std::exchange(has_driver, true) ? NVML_SUCCESS : nvml::NVML_ERROR_DRIVER_NOT_LOADED;
    });
    const Error error = error_of([] { static_cast<void>(system::Device::all()); });
    EXPECT_EQ(error.function(), "nvmlInit_v2");
    EXPECT_THAT(error.what(), HasSubstr("kernel driver"));
    EXPECT_EQ(system::Device::all().size(), 2u);
}

TEST_F(HostTest, StatesTheReleaseOfAMissingFunction) {
    remove("nvmlSystemGetDriverBranch");
    const Error error = error_of([] { static_cast<void>(system::driver_branch()); });
    EXPECT_EQ(error.code(), nvml::NVML_ERROR_FUNCTION_NOT_FOUND);
    EXPECT_THAT(error.what(), HasSubstr("nvmlSystemGetDriverBranch"));
    EXPECT_THAT(error.what(), HasSubstr("12.6"));
}

TEST_F(HostTest, TurnsOnlyMissingFeaturesIntoEmptyResults) {
    EXPECT_EQ(system::if_supported([] { return system::driver_version(); }), "580.65.06");
    remove("nvmlSystemGetDriverBranch");
    EXPECT_EQ(system::if_supported([] { return system::driver_branch(); }), std::nullopt);
    EXPECT_EQ(system::if_supported([&] { return gpu_.attributes(); }).has_value(), false);
    EXPECT_THROW(static_cast<void>(system::if_supported([] { return system::process_name(43); })), Error);
}

}  // namespace
}  // namespace cubind::testing
