// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/system.hpp>
#include <cubind/system/cuda_device.hpp>

#include <cstddef>
#include <cstring>
#include <set>
#include <unistd.h>
#include <vector>

#include "nvml_test.hpp"

namespace cubind::testing {
namespace {

int attribute(driver::CUdevice_attribute which, int ordinal) {
    return driver::cuDeviceGetAttribute(which, ordinal).value;
}

class SimNvmlDeviceTest : public SimNvmlTest {
protected:
    void SetUp() override {
        SimNvmlTest::SetUp();
        ASSERT_EQ(driver::cuInit(0).status, driver::CUDA_SUCCESS);
    }
};

TEST_F(SimNvmlDeviceTest, AgreesWithTheDriver) {
    EXPECT_EQ(nvmlDeviceGetCount_v2().value, static_cast<unsigned int>(driver::cuDeviceGetCount().value));
    EXPECT_EQ(nvmlSystemGetCudaDriverVersion_v2().value, driver::cuDriverGetVersion().value);
    each_device([](nvmlDevice_t device, int ordinal) {
        EXPECT_EQ(text_of([&](char* out, unsigned int size) { return nvmlDeviceGetName(device, out, size); }),
                  Device(ordinal).name());
        EXPECT_EQ(text_of([&](char* out, unsigned int size) { return nvmlDeviceGetUUID(device, out, size); }),
                  "GPU-" + Device(ordinal).uuid());
        const nvmlPciInfo_t pci = nvmlDeviceGetPciInfo_v3(device).value;
        char bus_id[32] = {};
        ASSERT_TRUE(driver::cuDeviceGetPCIBusId(bus_id, sizeof bus_id, ordinal).ok());
        EXPECT_EQ(std::string(pci.busIdLegacy), bus_id);
        EXPECT_EQ(std::string(pci.busId), std::string("0000") + bus_id);
        EXPECT_EQ(static_cast<int>(pci.bus), attribute(driver::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, ordinal));
        EXPECT_EQ(nvmlDeviceGetMemoryInfo(device).value.total, driver::cuDeviceTotalMem_v2(ordinal).value);
        const auto [status, major, minor] = nvmlDeviceGetCudaComputeCapability(device);
        EXPECT_EQ(status, NVML_SUCCESS);
        EXPECT_EQ(major, attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ordinal));
        EXPECT_EQ(minor, attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, ordinal));
        EXPECT_EQ(static_cast<int>(nvmlDeviceGetMemoryBusWidth(device).value),
                  attribute(driver::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, ordinal));
        EXPECT_EQ(static_cast<int>(1000 * nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM).value),
                  attribute(driver::CU_DEVICE_ATTRIBUTE_CLOCK_RATE, ordinal));
        EXPECT_EQ(static_cast<int>(1000 * nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM).value),
                  attribute(driver::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, ordinal));
        EXPECT_EQ(int(nvmlDeviceGetComputeMode(device).value), attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, ordinal));
        EXPECT_EQ(int(nvmlDeviceGetDefaultEccMode(device).value), attribute(driver::CU_DEVICE_ATTRIBUTE_ECC_ENABLED, ordinal));
        EXPECT_EQ(static_cast<int>(nvmlDeviceGetNumGpuCores(device).value),
                  128 * attribute(driver::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, ordinal));
    });
}

TEST_F(SimNvmlDeviceTest, FindsEachDeviceByEachName) {
    std::set<nvmlDevice_t> handles;
    each_device([&](nvmlDevice_t device, int ordinal) {
        handles.insert(device);
        EXPECT_EQ(nvmlDeviceGetIndex(device).value, static_cast<unsigned int>(ordinal));
        const std::string uuid = text_of([&](char* out, unsigned int size) { return nvmlDeviceGetUUID(device, out, size); });
        EXPECT_EQ(nvmlDeviceGetHandleByUUID(uuid.c_str()).value, device);
        nvmlUUID_t text{};
        text.version = nvmlUUID_v1;
        text.type = NVML_UUID_TYPE_ASCII;
        std::memcpy(text.value.str, uuid.c_str(), uuid.size() + 1);
        EXPECT_EQ(nvmlDeviceGetHandleByUUIDV(&text).value, device);
        nvmlUUID_t binary{};
        binary.version = nvmlUUID_v1;
        binary.type = NVML_UUID_TYPE_BINARY;
        std::memcpy(binary.value.bytes, driver::cuDeviceGetUuid_v2(ordinal).value.bytes, sizeof binary.value.bytes);
        EXPECT_EQ(nvmlDeviceGetHandleByUUIDV(&binary).value, device);
        const std::string serial = text_of([&](char* out, unsigned int size) { return nvmlDeviceGetSerial(device, out, size); });
        EXPECT_EQ(nvmlDeviceGetHandleBySerial(serial.c_str()).value, device);
        const nvmlPciInfo_t pci = nvmlDeviceGetPciInfo_v3(device).value;
        EXPECT_EQ(nvmlDeviceGetHandleByPciBusId_v2(pci.busId).value, device);
        EXPECT_EQ(nvmlDeviceGetHandleByPciBusId_v2(pci.busIdLegacy).value, device);
        EXPECT_EQ(nvmlDeviceGetHandleByPciBusId_v2(pci.busIdLegacy + 5).value, device) << "without the domain";
    });
    EXPECT_EQ(handles.size(), nvmlDeviceGetCount_v2().value);
}

TEST_F(SimNvmlDeviceTest, MemoryFollowsTheDriver) {
    const nvmlDevice_t device = SimNvmlDeviceTest::device();
    const auto context = driver::cuCtxCreate_v2(0, 0).value;
    const unsigned long long before = nvmlDeviceGetMemoryInfo(device).value.used;
    const auto memory = driver::cuMemAlloc_v2(1 << 20).value;
    const nvmlMemory_t old = nvmlDeviceGetMemoryInfo(device).value;
    const nvmlMemory_v2_t info = nvmlDeviceGetMemoryInfo_v2(device, {}).value;
    const auto [status, free, total] = driver::cuMemGetInfo_v2();
    EXPECT_EQ(status, driver::CUDA_SUCCESS);
    EXPECT_EQ(old.used - before, 1u << 20);
    EXPECT_EQ(old.free, free);
    EXPECT_EQ(old.total, total);
    EXPECT_EQ(info.free, free);
    EXPECT_EQ(info.total, info.used + info.free + info.reserved);
    EXPECT_EQ(driver::cuMemFree_v2(memory).status, driver::CUDA_SUCCESS);
    EXPECT_EQ(nvmlDeviceGetMemoryInfo(device).value.used, before);
    EXPECT_EQ(driver::cuCtxDestroy_v2(context).status, driver::CUDA_SUCCESS);
}

TEST_F(SimNvmlDeviceTest, ListsTheProcessWhileItHasAContext) {
    const nvmlDevice_t device = SimNvmlDeviceTest::device();
    nvmlProcessInfo_t process{};
    EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(device, 1, &process).value, 0u);
    const auto context = driver::cuCtxCreate_v2(0, 0).value;
    const auto memory = driver::cuMemAlloc_v2(4096).value;
    const auto without_space = nvmlDeviceGetComputeRunningProcesses_v3(device, 0, nullptr);
    EXPECT_EQ(without_space.status, NVML_ERROR_INSUFFICIENT_SIZE);
    EXPECT_EQ(without_space.value, 1u);
    const auto [status, count] = nvmlDeviceGetComputeRunningProcesses_v3(device, 1, &process);
    EXPECT_EQ(status, NVML_SUCCESS);
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(process.pid, static_cast<unsigned int>(getpid()));
    EXPECT_EQ(process.usedGpuMemory, nvmlDeviceGetMemoryInfo(device).value.used);
    EXPECT_EQ(process.gpuInstanceId, 0xffffffffu);
    nvmlProcessInfo_v1_t first{};
    unsigned int space = 1;
    const auto oldest =
        nvml_symbol<nvmlReturn_t(nvmlDevice_t, unsigned int*, nvmlProcessInfo_v1_t*)>("nvmlDeviceGetComputeRunningProcesses");
    EXPECT_EQ(oldest(device, &space, &first), NVML_SUCCESS);
    EXPECT_EQ(first.pid, process.pid);
    EXPECT_EQ(nvmlDeviceGetGraphicsRunningProcesses_v3(device, 1, &process).value, 0u);
    EXPECT_EQ(driver::cuMemFree_v2(memory).status, driver::CUDA_SUCCESS);
    EXPECT_EQ(driver::cuCtxDestroy_v2(context).status, driver::CUDA_SUCCESS);
    EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(device, 0, nullptr).value, 0u);
}

TEST_F(SimNvmlDeviceTest, PrimaryContextsCountAsUse) {
    each_device([](nvmlDevice_t device, int ordinal) {
        ASSERT_TRUE(driver::cuDevicePrimaryCtxRetain(ordinal).ok());
        EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(device, 0, nullptr).value, 1u);
        ASSERT_TRUE(driver::cuDevicePrimaryCtxRelease_v2(ordinal).ok());
        EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(device, 0, nullptr).value, 0u);
    });
}

TEST_F(SimNvmlDeviceTest, PairsAgreeWithTheDriver) {
    each_device([](nvmlDevice_t first, int first_ordinal) {
        each_device([&](nvmlDevice_t second, int second_ordinal) {
            const bool is_same = first == second;
            EXPECT_EQ(nvmlDeviceGetTopologyCommonAncestor(first, second).value,
                      is_same ? NVML_TOPOLOGY_INTERNAL : NVML_TOPOLOGY_NODE);
            EXPECT_EQ(nvmlDeviceOnSameBoard(first, second).value, is_same ? 1 : 0);
            const auto access = nvmlDeviceGetP2PStatus(first, second, NVML_P2P_CAPS_INDEX_READ);
            const bool can_access = driver::cuDeviceCanAccessPeer(first_ordinal, second_ordinal).value != 0;
            EXPECT_EQ(access.ok() && access.value == NVML_P2P_STATUS_OK, can_access);
        });
        const unsigned int others = nvmlDeviceGetCount_v2().value - 1;
        EXPECT_EQ(nvmlDeviceGetTopologyNearestGpus(first, NVML_TOPOLOGY_NODE, 0, nullptr).value, others);
        EXPECT_EQ(nvmlDeviceGetTopologyNearestGpus(first, NVML_TOPOLOGY_SINGLE, 0, nullptr).value, 0u);
    });
    EXPECT_EQ(nvmlSystemGetTopologyGpuSet(0, 0, nullptr).value, nvmlDeviceGetCount_v2().value);
}

TEST_F(SimNvmlDeviceTest, ClassesFindTheSameDevices) {
    const std::vector<system::Device> devices = system::Device::all();
    ASSERT_EQ(devices.size(), Device::count());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const Device device(static_cast<int>(i));
        EXPECT_EQ(system::to_system_device(device), devices[i]);
        EXPECT_EQ(system::to_cuda_device(devices[i]), device);
        EXPECT_EQ(devices[i].memory_info().total,
                  nvmlDeviceGetMemoryInfo(SimNvmlTest::device(static_cast<unsigned int>(i))).value.total);
    }
    EXPECT_FALSE(system::process_name(static_cast<unsigned int>(getpid())).empty());
}

}  // namespace
}  // namespace cubind::testing
