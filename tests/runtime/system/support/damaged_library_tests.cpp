// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "system_test.hpp"

// A library that returns texts without an end, and counts that no machine has.
namespace cubind::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

class DamagedLibraryTest : public SystemTest {};

template <std::size_t size>
void fill(char (&text)[size]) {
    std::fill_n(text, size, 'x');
}

constexpr unsigned int absurd_count = 0xfffffffe;

TEST_F(DamagedLibraryTest, ReturnsTextsWithoutAnEnd) {
    define("nvmlDeviceGetPciInfo_v3", [](nvmlDevice_t, nvml::nvmlPciInfo_t* info) -> nvmlReturn_t {
        fill(info->busIdLegacy);
        fill(info->busId);
        return NVML_SUCCESS;
    });
    EXPECT_EQ(gpu_.pci_bus_id(), std::string(sizeof nvml::nvmlPciInfo_t::busId, 'x'));
    define("nvmlSystemGetDriverBranch", [](nvml::nvmlSystemDriverBranchInfo_t* info, unsigned int) -> nvmlReturn_t {
        fill(info->branch);
        return NVML_SUCCESS;
    });
    EXPECT_EQ(system::driver_branch(), std::string(sizeof nvml::nvmlSystemDriverBranchInfo_t::branch, 'x'));
    define("nvmlDeviceGetName", [](nvmlDevice_t, char* text, unsigned int size) -> nvmlReturn_t {
        std::fill_n(text, size, 'x');
        return NVML_SUCCESS;
    });
    EXPECT_THAT(gpu_.name(), Each('x'));
}

TEST_F(DamagedLibraryTest, StatesMoreElementsThanItHasWritten) {
    define("nvmlDeviceGetComputeRunningProcesses_v3",
           [](nvmlDevice_t, unsigned int* count, nvml::nvmlProcessInfo_t* processes) -> nvmlReturn_t {
               processes[0].pid = 77;
               *count = absurd_count;
               return NVML_SUCCESS;
           });
    const auto processes = gpu_.compute_processes();
    EXPECT_LE(processes.size(), 1024u);
    EXPECT_EQ(processes.front().pid, 77u);
    define("nvmlDeviceGetTopologyNearestGpus",
           [](nvmlDevice_t, nvml::nvmlGpuTopologyLevel_t, unsigned int* count, nvmlDevice_t* devices) -> nvmlReturn_t {
               std::fill_n(devices, *count, gpu_handle(1));
               *count = absurd_count;
               return NVML_SUCCESS;
           });
    EXPECT_EQ(gpu_.nearest_devices(system::TopologyLevel::system).size(), 2u);
}

TEST_F(DamagedLibraryTest, StatesMoreObjectsThanAnyMachineHas) {
    define("nvmlDeviceGetMaxMigDeviceCount", [](nvmlDevice_t, unsigned int* count) -> nvmlReturn_t {
        *count = absurd_count;
        return NVML_SUCCESS;
    });
    define("nvmlDeviceGetFieldValues", [](nvmlDevice_t, int, nvml::nvmlFieldValue_t* values) -> nvmlReturn_t {
        values->nvmlReturn = NVML_SUCCESS;
        values->valueType = nvml::NVML_VALUE_TYPE_UNSIGNED_INT;
        values->value.uiVal = absurd_count;
        return NVML_SUCCESS;
    });
    const auto stated = std::to_string(absurd_count);
    EXPECT_THAT(error_of([&] { static_cast<void>(gpu_.mig().devices()); }).what(), HasSubstr(stated));
    EXPECT_THAT(error_of([&] { static_cast<void>(gpu_.nvlinks()); }).what(), HasSubstr(stated));
    define("nvmlDeviceGetCount_v2", [](unsigned int* count) -> nvmlReturn_t {
        *count = absurd_count;
        return NVML_SUCCESS;
    });
    EXPECT_THAT(error_of([&] { static_cast<void>(system::Device::all()); }).what(), HasSubstr(stated));
}

}  // namespace
}  // namespace cubind::testing
