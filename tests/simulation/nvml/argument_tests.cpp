// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstring>

#include "nvml_test.hpp"

namespace cubind::testing {
namespace {

class SimNvmlArgumentTest : public SimNvmlTest {};

TEST_F(SimNvmlArgumentTest, RejectsHandlesOfNoDevice) {
    const auto first = reinterpret_cast<std::uintptr_t>(device());
    const std::uintptr_t values[] = {
        0, 1, first + 1, first - 16, first + 16 * nvmlDeviceGetCount_v2().value, first + 16 * 255, UINTPTR_MAX};
    for (const std::uintptr_t value : values) {
        const auto handle = reinterpret_cast<nvmlDevice_t>(value);
        EXPECT_EQ(nvmlDeviceGetIndex(handle).status, NVML_ERROR_INVALID_ARGUMENT) << value;
        EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(handle, {}).status, NVML_ERROR_INVALID_ARGUMENT) << value;
        EXPECT_EQ(nvmlDeviceGetFanSpeed(handle).status, NVML_ERROR_INVALID_ARGUMENT) << value;
        EXPECT_EQ(nvmlDeviceGetTopologyCommonAncestor(device(), handle).status, NVML_ERROR_INVALID_ARGUMENT) << value;
        EXPECT_EQ(nvmlDeviceGetTopologyCommonAncestor(handle, device()).status, NVML_ERROR_INVALID_ARGUMENT) << value;
        EXPECT_EQ(nvmlDeviceOnSameBoard(device(), handle).status, NVML_ERROR_INVALID_ARGUMENT) << value;
    }
}

TEST_F(SimNvmlArgumentTest, RejectsNamesOfNoDevice) {
    EXPECT_EQ(nvmlDeviceGetHandleByIndex_v2(nvmlDeviceGetCount_v2().value).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetHandleByIndex_v2(~0u).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetHandleByUUID(nullptr).status, NVML_ERROR_INVALID_ARGUMENT);
    for (const char* const text : {"", "GPU-", "GPU-63756269-6e64-2073-696d-756c617465ff", "x"}) {
        EXPECT_EQ(nvmlDeviceGetHandleByUUID(text).status, NVML_ERROR_NOT_FOUND) << text;
        EXPECT_EQ(nvmlDeviceGetHandleBySerial(text).status, NVML_ERROR_NOT_FOUND) << text;
    }
    for (const char* const text : {"0000:ff:00.0", "ff:00.0", "0000:01:1f.0", "0000:01:00.1", "1:01:00.0"}) {
        EXPECT_EQ(nvmlDeviceGetHandleByPciBusId_v2(text).status, NVML_ERROR_NOT_FOUND) << text;
    }
    for (const char* const text :
         {"", "01", "x", "01:00.", "01:00.0x", "01:00x", "0:0:01:00.0", "01:", "-1:00.0", "fffffffff:00.0"}) {
        EXPECT_EQ(nvmlDeviceGetHandleByPciBusId_v2(text).status, NVML_ERROR_INVALID_ARGUMENT) << text;
    }
    nvmlUUID_t uuid{};
    EXPECT_EQ(nvmlDeviceGetHandleByUUIDV(&uuid).status, NVML_ERROR_INVALID_ARGUMENT) << "the type is none";
    uuid.type = NVML_UUID_TYPE_ASCII;
    std::memset(uuid.value.str, 'x', sizeof uuid.value.str);
    EXPECT_EQ(nvmlDeviceGetHandleByUUIDV(&uuid).status, NVML_ERROR_NOT_FOUND) << "without a NUL";
    uuid.version = 7;
    EXPECT_EQ(nvmlDeviceGetHandleByUUIDV(&uuid).status, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
}

TEST_F(SimNvmlArgumentTest, RequiresBuffersThatAreLongEnough) {
    const std::string name = text_of([](char* out, unsigned int size) { return nvmlDeviceGetName(device(), out, size); });
    const auto length = static_cast<unsigned int>(name.size());
    char buffer[96] = "unchanged";
    EXPECT_EQ(nvmlDeviceGetName(device(), buffer, length).status, NVML_ERROR_INSUFFICIENT_SIZE) << "no space for the NUL";
    EXPECT_EQ(nvmlDeviceGetName(device(), buffer, 0).status, NVML_ERROR_INSUFFICIENT_SIZE);
    EXPECT_EQ(std::string(buffer), "unchanged");
    EXPECT_EQ(nvmlDeviceGetName(device(), buffer, length + 1).status, NVML_SUCCESS);
    EXPECT_EQ(nvmlDeviceGetName(device(), nullptr, 96).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetUUID(device(), buffer, 40).status, NVML_ERROR_INSUFFICIENT_SIZE);
    EXPECT_EQ(nvmlDeviceGetUUID(device(), buffer, 41).status, NVML_SUCCESS);
    EXPECT_EQ(nvmlSystemGetDriverVersion(buffer, 3).status, NVML_ERROR_INSUFFICIENT_SIZE);
    EXPECT_EQ(nvmlSystemGetDriverBranch({}, 3).status, NVML_ERROR_INSUFFICIENT_SIZE);
    unsigned long set = 0;
    EXPECT_EQ(nvmlDeviceGetCpuAffinity(device(), 0, &set).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlSystemGetProcessName(~0u, buffer, 96).status, NVML_ERROR_NOT_FOUND);
}

TEST_F(SimNvmlArgumentTest, ChecksTheVersionsOfStructs) {
    nvmlMemory_v2_t memory{};
    memory.version = 1;
    EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(device(), memory).status, NVML_ERROR_FUNCTION_NOT_FOUND) << "as on an H200";
    nvmlPciInfoExt_t pci{};
    pci.version = 0;
    EXPECT_EQ(nvmlDeviceGetPciInfoExt(device(), pci).status, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
    nvmlTemperature_t temperature{};
    temperature.version = ~0u;
    EXPECT_EQ(nvmlDeviceGetTemperatureV(device(), temperature).status, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
    EXPECT_EQ(nvmlDeviceGetPciInfoExt(device(), {}).value.baseClass, 3u);
    EXPECT_EQ(nvmlDeviceGetTemperatureV(device(), {}).status, NVML_SUCCESS);
}

TEST_F(SimNvmlArgumentTest, RejectsUnknownValues) {
    EXPECT_EQ(nvmlDeviceGetTemperature(device(), NVML_TEMPERATURE_COUNT).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetTemperatureThreshold(device(), NVML_TEMPERATURE_THRESHOLD_COUNT).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetTemperatureThreshold(device(), NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MIN).status,
              NVML_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(nvmlDeviceGetClockInfo(device(), NVML_CLOCK_COUNT).status, NVML_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(nvmlDeviceGetMaxClockInfo(device(), NVML_CLOCK_COUNT).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetClock(device(), NVML_CLOCK_SM, NVML_CLOCK_ID_COUNT).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetTotalEccErrors(device(), NVML_MEMORY_ERROR_TYPE_COUNT, NVML_VOLATILE_ECC).status,
              NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetTopologyNearestGpus(device(), nvmlGpuTopologyLevel_t{7}, 0, nullptr).status,
              NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetFieldValues(device(), 0, nullptr).status, NVML_ERROR_INVALID_ARGUMENT);
}

// Statuses and values that an H200 returned.
TEST_F(SimNvmlArgumentTest, AnswersAsAnH200) {
    EXPECT_EQ(nvmlDeviceGetP2PStatus(device(), device(), NVML_P2P_CAPS_INDEX_READ).value, NVML_P2P_STATUS_NOT_SUPPORTED);
    EXPECT_EQ(nvmlDeviceGetNvLinkState(device(), NVML_NVLINK_MAX_LINKS).status, NVML_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(nvmlDeviceGetGpuInstanceId(device()).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetComputeInstanceId(device()).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetNumFans(device()).status, NVML_SUCCESS);
    EXPECT_EQ(nvmlDeviceGetNumFans(device()).value, 0u);
    EXPECT_EQ(nvmlDeviceGetFanSpeed_v2(device(), 0).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetSupportedGraphicsClocks(device(), 0, 0, nullptr).status, NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetMemoryErrorCounter(device(), NVML_MEMORY_ERROR_TYPE_CORRECTED, NVML_VOLATILE_ECC,
                                              NVML_MEMORY_LOCATION_L1_CACHE)
                  .status,
              NVML_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(nvmlDeviceGetSupportedClocksEventReasons(device()).value, 0x1ffu);
    nvmlDevice_t other = nullptr;
    EXPECT_EQ(nvmlDeviceGetTopologyNearestGpus(device(), NVML_TOPOLOGY_INTERNAL, 0, &other).status, NVML_ERROR_INVALID_ARGUMENT);
    using GetFanSpeed = nvmlReturn_t(nvmlDevice_t, unsigned int*);
    EXPECT_EQ(nvml_symbol<GetFanSpeed>("nvmlDeviceGetFanSpeed")(device(), nullptr), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(SimNvmlArgumentTest, ListsSupportedClocks) {
    unsigned int clocks[256] = {};
    EXPECT_EQ(nvmlDeviceGetSupportedMemoryClocks(device(), 0, nullptr).status, NVML_ERROR_INSUFFICIENT_SIZE);
    ASSERT_EQ(nvmlDeviceGetSupportedMemoryClocks(device(), 256, clocks).value, 1u);
    const unsigned int memory_clock = clocks[0];
    const auto [status, count] = nvmlDeviceGetSupportedGraphicsClocks(device(), memory_clock, 256, clocks);
    EXPECT_EQ(status, NVML_SUCCESS);
    ASSERT_GE(count, 2u);
    EXPECT_EQ(clocks[0], nvmlDeviceGetMaxClockInfo(device(), NVML_CLOCK_GRAPHICS).value);
    EXPECT_GE(clocks[count - 1], nvmlDeviceGetClockInfo(device(), NVML_CLOCK_GRAPHICS).value);
    EXPECT_EQ(nvmlDeviceGetSupportedGraphicsClocks(device(), memory_clock, count - 1, clocks).status,
              NVML_ERROR_INSUFFICIENT_SIZE);
    EXPECT_EQ(nvmlDeviceGetSupportedGraphicsClocks(device(), 1, 256, clocks).status, NVML_ERROR_NOT_FOUND);
}

TEST_F(SimNvmlArgumentTest, ReturnsTheStatusOfEachField) {
    nvmlFieldValue_t values[3] = {};
    values[0].fieldId = NVML_FI_DEV_MEMORY_TEMP;
    values[1].fieldId = 0xffff;
    values[2].fieldId = NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION;
    ASSERT_EQ(nvmlDeviceGetFieldValues(device(), 3, values).status, NVML_SUCCESS);
    EXPECT_EQ(values[0].nvmlReturn, NVML_SUCCESS);
    EXPECT_EQ(values[0].valueType, NVML_VALUE_TYPE_UNSIGNED_INT);
    EXPECT_GT(values[0].value.uiVal, 0u);
    EXPECT_EQ(values[1].nvmlReturn, NVML_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(values[2].nvmlReturn, NVML_SUCCESS);
    EXPECT_LE(values[2].value.ullVal, nvmlDeviceGetTotalEnergyConsumption(device()).value);
}

TEST_F(SimNvmlArgumentTest, ReturnsTextsOfStatuses) {
    EXPECT_EQ(std::string(nvmlErrorString(NVML_SUCCESS)), "Success");
    EXPECT_EQ(std::string(nvmlErrorString(NVML_ERROR_INVALID_ARGUMENT)), "Invalid Argument");
    EXPECT_EQ(std::string(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED)), "Not Supported");
    EXPECT_EQ(std::string(nvmlErrorString(NVML_ERROR_UNKNOWN)), "Unknown Error");
    EXPECT_EQ(std::string(nvmlErrorString(nvmlReturn_t{777})), "Unknown Error");
}

TEST_F(SimNvmlArgumentTest, CountsCallsThatAreNotSimulated) {
    const auto calls = nvml_symbol<unsigned long(const char*)>("nvmlCubindSimulation");
    ASSERT_NE(calls, nullptr);
    EXPECT_EQ(calls(nullptr), 0u);
    EXPECT_EQ(nvmlEventSetCreate().status, NVML_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(nvmlDeviceSetPersistenceMode(device(), NVML_FEATURE_ENABLED).status, NVML_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(calls("nvmlEventSetCreate"), 1u);
    EXPECT_EQ(calls(nullptr), 2u);
    EXPECT_EQ(nvmlDeviceGetFanSpeed(device()).status, NVML_ERROR_NOT_SUPPORTED) << "no GPU of a server has a fan";
    EXPECT_EQ(calls(nullptr), 2u);
}

}  // namespace
}  // namespace cubind::testing
