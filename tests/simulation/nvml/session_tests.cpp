// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "nvml_test.hpp"

namespace cubind::testing {
namespace {

TEST(SimNvmlSessionTest, RequiresASession) {
    EXPECT_EQ(nvmlDeviceGetCount_v2().status, NVML_ERROR_UNINITIALIZED);
    EXPECT_EQ(nvmlDeviceGetName(nullptr, nullptr, 0).status, NVML_ERROR_UNINITIALIZED);
    EXPECT_EQ(nvmlSystemGetCudaDriverVersion().status, NVML_ERROR_UNINITIALIZED);
    EXPECT_EQ(nvmlEventSetCreate().status, NVML_ERROR_UNINITIALIZED) << "not simulated";
    EXPECT_EQ(nvmlShutdown().status, NVML_ERROR_UNINITIALIZED);
    EXPECT_EQ(std::string(nvmlErrorString(NVML_ERROR_UNINITIALIZED)), "Uninitialized");
}

TEST(SimNvmlSessionTest, CountsSessions) {
    EXPECT_EQ(nvmlInit_v2().status, NVML_SUCCESS);
    EXPECT_EQ(nvmlInitWithFlags(NVML_INIT_FLAG_NO_ATTACH).status, NVML_SUCCESS);
    EXPECT_EQ(nvml_symbol<nvmlReturn_t()>("nvmlInit")(), NVML_SUCCESS);
    const nvmlDevice_t device = nvmlDeviceGetHandleByIndex_v2(0).value;
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(nvmlDeviceGetIndex(device).status, NVML_SUCCESS);
        EXPECT_EQ(nvmlShutdown().status, NVML_SUCCESS);
    }
    EXPECT_EQ(nvmlDeviceGetIndex(device).status, NVML_ERROR_UNINITIALIZED);
    EXPECT_EQ(nvmlShutdown().status, NVML_ERROR_UNINITIALIZED);
    EXPECT_EQ(nvmlInit_v2().status, NVML_SUCCESS);
    EXPECT_EQ(nvmlDeviceGetHandleByIndex_v2(0).value, device);
    EXPECT_EQ(nvmlShutdown().status, NVML_SUCCESS);
}

TEST(SimNvmlSessionTest, RejectsUnknownFlags) {
    EXPECT_EQ(nvmlInitWithFlags(0x100).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetCount_v2().status, NVML_ERROR_UNINITIALIZED);
}

TEST(SimNvmlSessionTest, RequiresADeviceUnlessTheFlagsDoNot) {
    ASSERT_EQ(setenv("CUBIND_SIM_DEVICES", "0", 1), 0);
    EXPECT_EQ(nvmlInit_v2().status, NVML_ERROR_GPU_NOT_FOUND);
    EXPECT_EQ(nvmlDeviceGetCount_v2().status, NVML_ERROR_UNINITIALIZED);
    EXPECT_EQ(nvmlInitWithFlags(NVML_INIT_FLAG_NO_GPUS).status, NVML_SUCCESS);
    EXPECT_EQ(nvmlDeviceGetCount_v2().value, 0u);
    EXPECT_EQ(nvmlDeviceGetHandleByIndex_v2(0).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlSystemGetDriverVersion(nullptr, 0).status, NVML_ERROR_INVALID_ARGUMENT);
}

TEST(SimNvmlSessionTest, DoesNotInitializeTheDriver) {
    EXPECT_EQ(nvmlInit_v2().status, NVML_SUCCESS);
    EXPECT_EQ(nvmlDeviceGetMemoryInfo(nvmlDeviceGetHandleByIndex_v2(0).value).status, NVML_SUCCESS);
    EXPECT_EQ(driver::cuDeviceGetCount().status, driver::CUDA_ERROR_NOT_INITIALIZED);
}

TEST(SimNvmlSessionTest, HasTheFunctionsOfTheRelease) {
    ASSERT_EQ(setenv("CUBIND_SIM_RELEASE", "12.4", 1), 0);
    ASSERT_EQ(nvmlInit_v2().status, NVML_SUCCESS);
    const nvmlDevice_t device = nvmlDeviceGetHandleByIndex_v2(0).value;
    EXPECT_EQ(nvmlSystemGetCudaDriverVersion_v2().value, 12040);
    EXPECT_EQ(text_of(nvmlSystemGetDriverVersion), "550.00");
    EXPECT_EQ(text_of(nvmlSystemGetNVMLVersion), "12.550.00");
    EXPECT_EQ(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU).status, NVML_SUCCESS);
    EXPECT_EQ(nvmlDeviceGetTemperatureV(device, {}).status, NVML_ERROR_FUNCTION_NOT_FOUND) << "since 12.8";
}

TEST(SimNvmlSessionTest, ServesThreads) {
    const auto use = [] {
        for (int i = 0; i < 200; ++i) {
            ASSERT_EQ(nvmlInit_v2().status, NVML_SUCCESS);
            const auto [status, device] = nvmlDeviceGetHandleByIndex_v2(0);
            ASSERT_EQ(status, NVML_SUCCESS);
            ASSERT_EQ(nvmlDeviceGetMemoryInfo(device).status, NVML_SUCCESS);
            unsigned int count = 0;
            ASSERT_EQ(nvml_symbol<nvmlReturn_t(nvmlDevice_t, unsigned int*, nvmlProcessInfo_t*)>(
                          "nvmlDeviceGetComputeRunningProcesses_v3")(device, &count, nullptr),
                      NVML_SUCCESS);
            ASSERT_EQ(nvmlShutdown().status, NVML_SUCCESS);
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(use);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(nvmlShutdown().status, NVML_ERROR_UNINITIALIZED);
}

// Waits for a child that returns whether all was as expected.
template <class Child>
bool succeeds_in_child(Child child) {
    const pid_t pid = fork();
    if (pid == 0) _exit(child() ? 0 : 1);
    int status = 0;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The child has no context, because it cannot use the driver that its parent has initialized.
TEST(SimNvmlSessionTest, ContinuesInAChildProcess) {
    ASSERT_EQ(nvmlInit_v2().status, NVML_SUCCESS);
    const nvmlDevice_t device = nvmlDeviceGetHandleByIndex_v2(0).value;
    ASSERT_EQ(driver::cuInit(0).status, driver::CUDA_SUCCESS);
    ASSERT_EQ(driver::cuCtxCreate_v2(0, 0).status, driver::CUDA_SUCCESS);
    EXPECT_TRUE(succeeds_in_child([&] {
        nvmlProcessInfo_t process{};
        const auto [status, count] = nvmlDeviceGetComputeRunningProcesses_v3(device, 1, &process);
        return status == NVML_SUCCESS && count == 0 && nvmlDeviceGetMemoryInfo(device).ok() && nvmlShutdown().ok();
    }));
    EXPECT_EQ(nvmlShutdown().status, NVML_SUCCESS) << "the session of the child was its own";
}

// In such a child, the driver cannot be used, but NVML does not need it.
TEST(SimNvmlSessionTest, AnswersInAChildThatCannotUseTheDriver) {
    ASSERT_EQ(nvmlInit_v2().status, NVML_SUCCESS);
    const nvmlDevice_t device = nvmlDeviceGetHandleByIndex_v2(0).value;
    ASSERT_EQ(driver::cuInit(0).status, driver::CUDA_SUCCESS);
    ASSERT_EQ(driver::cuCtxCreate_v2(0, 0).status, driver::CUDA_SUCCESS);
    driver::CUmemAllocationProp properties{};
    properties.type = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = driver::CU_MEM_LOCATION_TYPE_DEVICE;
    const std::size_t bytes = driver::cuMemGetAllocationGranularity(&properties, driver::CU_MEM_ALLOC_GRANULARITY_MINIMUM).value;
    const auto memory = driver::cuMemCreate(bytes, &properties, 0);
    ASSERT_EQ(memory.status, driver::CUDA_SUCCESS);
    EXPECT_TRUE(succeeds_in_child([&] {
        const auto [status, info] = nvmlDeviceGetMemoryInfo(device);
        const auto processes = nvmlDeviceGetComputeRunningProcesses_v3(device, 0, nullptr);
        return driver::cuInit(0).status == driver::CUDA_ERROR_NOT_INITIALIZED && status == NVML_SUCCESS && info.total > 0 &&
               processes.ok() && processes.value == 0;
    }));
    EXPECT_EQ(driver::cuMemRelease(memory.value).status, driver::CUDA_SUCCESS);
}

}  // namespace
}  // namespace cubind::testing
