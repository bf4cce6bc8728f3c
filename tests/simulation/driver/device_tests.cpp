// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstddef>
#include <stdexcept>
#include <stdlib.h>
#include <string>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

TEST(SimInitTest, IsRequiredBeforeOtherCalls) {
    cubind::sim::install({.devices = 1});
    EXPECT_EQ(cuDeviceGetCount().status, CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuMemAlloc(16).status, CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuCtxGetCurrent().status, CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuDriverGetVersion().status, CUDA_SUCCESS) << "does not require cuInit";
    EXPECT_EQ(cuInit(1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuInit(0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDeviceGetCount().value, 1);
    cubind::sim::uninstall();
}

TEST(SimInitTest, FailsWithoutDevices) {
    cubind::sim::install({.devices = 0});
    EXPECT_EQ(cuInit(0).status, CUDA_ERROR_NO_DEVICE);
    cubind::sim::uninstall();
}

TEST(SimInitTest, ReadsOptionsFromTheEnvironment) {
    setenv("CUBIND_SIM_DEVICES", "3", 1);
    setenv("CUBIND_SIM_MEMORY", "1000000", 1);
    setenv("CUBIND_SIM_COMPUTE_CAPABILITY", "8.6", 1);
    setenv("CUBIND_SIM_RELEASE", "12.4", 1);
    const cubind::sim::Options options = cubind::sim::options_from_environment();
    EXPECT_EQ(options.devices, 3);
    EXPECT_EQ(options.memory, 1000000u);
    EXPECT_EQ(options.major, 8);
    EXPECT_EQ(options.minor, 6);
    EXPECT_EQ(options.release, "12.4");
    for (const char* variable :
         {"CUBIND_SIM_DEVICES", "CUBIND_SIM_MEMORY", "CUBIND_SIM_COMPUTE_CAPABILITY", "CUBIND_SIM_RELEASE"}) {
        unsetenv(variable);
    }
}

// Sets a variable while it exists.
class Setting {
public:
    Setting(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;
    ~Setting() { unsetenv(name_); }

private:
    const char* const name_;
};

TEST(SimInitTest, RefusesMistakesInTheEnvironment) {
    struct Mistakes {
        const char* variable;
        std::vector<const char*> values;
        const char* expected;
    };
    const Mistakes all[] = {
        {"CUBIND_SIM_DEVICES",
         {"many", "-1", "256", "2 or 3", "4294967298", "99999999999999999999", "two", " 2"},
         "from 0 to 255"},
        {"CUBIND_SIM_MEMORY", {"16G", "-1", "1e9", "0x1000", "99999999999999999999"}, "such as 17179869184 for 16 GiB"},
        {"CUBIND_SIM_WORKERS", {"all", "-1", "4294967296", "1.5"}, "from 0 to 4294967295"},
        {"CUBIND_SIM_SEED", {"random", "-7", "18446744073709551616"}, "from 0 to 18446744073709551615"},
        {"CUBIND_SIM_KERNEL_SECONDS", {"1s", "0.5", "-1", "4294967296"}, "a whole number"},
        {"CUBIND_SIM_COMPUTE_CAPABILITY",
         {"sm_80", "12", "80", "8.0a", "8", "-8.0", "8.100"},
         "with a dot, such as 8.0 for sm_80"},
        {"CUBIND_SIM_RELEASE", {"13", "1000.0", "12.100", "-12.4", "12.4.1", "99999999999.1", "latest"}, "a release of CUDA"},
        {"CUBIND_SIM_FIDELITY_REQUIRE", {"excat", "1", "Exact", "exact "}, "exact, rule or approximate"},
        {"CUBIND_SIM_ALLOW_FORK", {"yes", "2", "true"}, "0 or 1"},
        {"CUBIND_SIM_ALLOW_PEER_MEMORY", {"yes"}, "0 or 1"},
        {"CUBIND_SIM_ALLOW_UNDEFINED_FUNCTIONS", {"yes"}, "0 or 1"},
        {"CUBIND_SIM_ALLOW_HIDDEN_DEVICES", {"yes"}, "0 or 1"},
    };
    for (const Mistakes& each : all) {
        for (const char* const value : each.values) {
            const Setting setting(each.variable, value);
            try {
                cubind::sim::options_from_environment();
                ADD_FAILURE() << each.variable << '=' << value;
            } catch (const std::invalid_argument& error) {
                EXPECT_THAT(error.what(), HasSubstr(std::string(each.variable) + " is \"" + value + "\", but must be "));
                EXPECT_THAT(error.what(), HasSubstr(each.expected));
            }
        }
        const Setting empty(each.variable, "");
        EXPECT_NO_THROW(cubind::sim::options_from_environment()) << each.variable;
    }
}

TEST(SimInitTest, IsStrictUnlessTheEnvironmentAllowsMistakes) {
    const auto read = [](const char* variable, const char* value) {
        const Setting visible("CUDA_VISIBLE_DEVICES", "7");
        const Setting setting(variable, value);
        const cubind::sim::Options options = cubind::sim::options_from_environment();
        return std::vector<bool>{options.allows_fork, options.allows_peer_memory, options.allows_undefined_functions,
                                 !options.visible_devices.has_value()};
    };
    const char* const variables[] = {"CUBIND_SIM_ALLOW_FORK", "CUBIND_SIM_ALLOW_PEER_MEMORY",
                                     "CUBIND_SIM_ALLOW_UNDEFINED_FUNCTIONS", "CUBIND_SIM_ALLOW_HIDDEN_DEVICES"};
    for (std::size_t i = 0; i < std::size(variables); ++i) {
        std::vector<bool> expected(std::size(variables), false);
        for (const char* const value : {"", "0"}) EXPECT_EQ(read(variables[i], value), expected) << variables[i] << value;
        expected[i] = true;
        EXPECT_EQ(read(variables[i], "1"), expected) << variables[i];
    }
}

TEST(SimInitTest, RefusesMisspelledVariables) {
    const Setting setting("CUBIND_SIM_ARCH", "8.0");
    EXPECT_THROW(
        try { cubind::sim::options_from_environment(); } catch (const std::invalid_argument& error) {
            EXPECT_THAT(error.what(), HasSubstr("CUBIND_SIM_ARCH is no variable of the simulation"));
            EXPECT_THAT(error.what(), HasSubstr("CUBIND_SIM_COMPUTE_CAPABILITY"));
            throw;
        },
        std::invalid_argument);
}

TEST(SimInitTest, EscapesValuesInMessages) {
    const Setting setting("CUBIND_SIM_RELEASE", "\x1b[31m");
    try {
        cubind::sim::options_from_environment();
        ADD_FAILURE();
    } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(), HasSubstr("\"\\x1b[31m\""));
    }
}

using SimDeviceTest = SimTest;

TEST_F(SimDeviceTest, ReportsItsProperties) {
    EXPECT_EQ(cuDeviceGetCount().value, 2);
    EXPECT_EQ(cuDeviceGet(1).value, 1);
    EXPECT_EQ(cuDeviceTotalMem(1).value, std::size_t{1} << 30);
    char name[64];
    EXPECT_EQ(cuDeviceGetName(name, sizeof name, 0).status, CUDA_SUCCESS);
    EXPECT_STREQ(name, "cubind simulated device");
    EXPECT_EQ(cuDeviceGetName(name, 7, 0).status, CUDA_SUCCESS);
    EXPECT_STREQ(name, "cubind");
    EXPECT_EQ(cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0).value, 9);
    EXPECT_EQ(cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0).value, 32);
    EXPECT_EQ(cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 0).value, 1);
    EXPECT_NE(cuDeviceGetUuid_v2(0).value.bytes[15], cuDeviceGetUuid_v2(1).value.bytes[15]);
}

TEST_F(SimDeviceTest, RejectsInvalidArguments) {
    EXPECT_EQ(cuDeviceGet(2).status, CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(cuDeviceGet(-1).status, CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(cuDeviceTotalMem(7).status, CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(cuDeviceGetAttribute(static_cast<CUdevice_attribute>(0), 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDeviceGetAttribute(static_cast<CUdevice_attribute>(99999), 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDeviceGetName(nullptr, 5, 0).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimDeviceTest, LimitsTexturesOnLinearMemory) {
    EXPECT_EQ(cuDeviceGetTexture1DLinearMaxWidth(CU_AD_FORMAT_FLOAT, 1, 0).value, std::size_t{1} << 30);
    EXPECT_EQ(cuDeviceGetTexture1DLinearMaxWidth(CU_AD_FORMAT_FLOAT, 3, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDeviceGetTexture1DLinearMaxWidth(CU_AD_FORMAT_FLOAT, 1, 9).status, CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(SimDeviceTest, IsFoundByItsPciBusId) {
    char id[32];
    EXPECT_EQ(cuDeviceGetPCIBusId(id, sizeof id, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDeviceGetByPCIBusId(id).value, 1);
    EXPECT_EQ(cuDeviceGetByPCIBusId("nowhere").status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDeviceGetByPCIBusId("0000:7f:00.0").status, CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(SimDeviceTest, ReturnsTheNamesOfErrors) {
    EXPECT_STREQ(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY).value, "CUDA_ERROR_OUT_OF_MEMORY");
    EXPECT_STREQ(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY).value, "out of memory");
    EXPECT_STREQ(cuGetErrorString(CUDA_ERROR_NOT_FOUND).value, "named symbol not found");
    EXPECT_NE(cuGetErrorString(CUDA_ERROR_STREAM_DETACHED).value, nullptr) << "a status that the recorded driver does not have";
    EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(12345)).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
