// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// CUDA_VISIBLE_DEVICES. The answers are those of two H200s (driver 580.159.04), whose UUIDs begin with different digits.
#include <cstdlib>

#include "machine/visible_devices.hpp"
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

using Selection = std::optional<std::vector<int>>;

constexpr const char* first_uuid = "GPU-8035c342-44d4-76b9-7b4d-a501fec38b4a";
constexpr const char* second_uuid = "GPU-078a248b-6d35-50e2-cf03-80ef1bcb68e6";

CUuuid uuid_of(std::string_view text) {
    CUuuid uuid{};
    std::size_t count = 0;
    for (const char each : text.substr(4)) {
        if (each == '-') continue;
        const int digit = each <= '9' ? each - '0' : each - 'a' + 10;
        char& byte = uuid.bytes[count / 2];
        byte = static_cast<char>(count++ % 2 == 0 ? digit << 4 : (byte | digit));
    }
    return uuid;
}

Selection select(const std::string& list) {
    return sim::select_devices(list, {uuid_of(first_uuid), uuid_of(second_uuid)});
}

TEST(VisibleDevicesTest, AreSelectedByNumber) {
    const std::pair<const char*, std::vector<int>> answers[] = {
        {"0", {0}},       {"1", {1}},   {"1,0", {1, 0}}, {"0,1", {0, 1}}, {" 1", {1}},        {"1 ", {1}},   {"0, 1", {0, 1}},
        {"0 ,1", {0, 1}}, {"0 1", {0}}, {"01", {1}},     {"+1", {1}},     {"0x1", {0}},       {"1abc", {1}}, {"0x", {0}},
        {"0;1", {0}},     {"-0", {0}},  {"1.5", {1}},    {"\t1", {1}},    {"4294967297", {1}}};
    for (const auto& [list, expected] : answers) EXPECT_EQ(select(list), expected) << list;
}

TEST(VisibleDevicesTest, EndWithAnInvalidEntry) {
    const std::pair<const char*, std::vector<int>> answers[] = {
        {"", {}},       {"7", {}},         {"-1", {}},       {"NoDevFiles", {}},
        {"x", {}},      {",", {}},         {",1", {}},       {"99999999999999999999", {}},
        {"0,7,1", {0}}, {"0,-1,1", {0}},   {"0,abc,1", {0}}, {"0,", {0}},
        {"0,,1", {0}},  {"0,MIG-x,1", {0}}};
    for (const auto& [list, expected] : answers) EXPECT_EQ(select(list), expected) << list;
}

TEST(VisibleDevicesTest, AreSelectedByTheBeginningOfAUuid) {
    const std::string first = first_uuid;
    const std::string second = second_uuid;
    const std::pair<std::string, std::vector<int>> answers[] = {{first, {0}},
                                                                {second, {1}},
                                                                {second + "," + first, {1, 0}},
                                                                {"GPU-8035c342", {0}},
                                                                {"GPU-0", {1}},
                                                                {"GPU-078a,GPU-803", {1, 0}},
                                                                {"GPU-8035C342-44D4-76B9-7B4D-A501FEC38B4A", {0}},
                                                                {"GPU-8035c34244d4", {0}},
                                                                {first + "0", {0}},
                                                                {first + "-0", {0}},
                                                                {first + " ", {0}},
                                                                {"MIG-" + first.substr(4), {0}},
                                                                {"GPU-", {}},
                                                                {"GPU", {}},
                                                                {"gpu-" + first.substr(4), {}},
                                                                {first.substr(4), {}},
                                                                {" " + first, {}},
                                                                {"GPU-zz,0", {}},
                                                                {"GPU-078azz", {}},
                                                                {"GPU8035c34244d476b97b4da501fec38b4a", {}},
                                                                {"MIG-" + first + "/0/0", {}},
                                                                {first + ",GPU-0000," + second, {0}}};
    for (const auto& [list, expected] : answers) EXPECT_EQ(select(list), expected) << list;
    EXPECT_EQ(sim::select_devices("GPU-8", {uuid_of(first_uuid), uuid_of("GPU-8135")}), std::vector<int>())
        << "two devices; not compared with a GPU";
}

TEST(VisibleDevicesTest, EndWithAnEntryOfTheOtherForm) {
    const std::string first = first_uuid;
    const std::string second = second_uuid;
    EXPECT_EQ(select(second + ",0"), std::vector<int>{1});
    EXPECT_EQ(select(first + ",1"), std::vector<int>{0});
    EXPECT_EQ(select("0," + second), std::vector<int>{0});
}

TEST(VisibleDevicesTest, MayNotRepeatADevice) {
    const std::string first = first_uuid;
    for (const std::string& list :
         {std::string("0,0"), std::string("1,1"), std::string("0,1,0"), first + "," + first, first + ",GPU-8035c"})
        EXPECT_EQ(select(list), std::nullopt) << list;
}

class SimVisibleDevicesTest : public ::testing::Test {
protected:
    ~SimVisibleDevicesTest() override {
        sim::uninstall();
        unsetenv("CUDA_VISIBLE_DEVICES");
    }
    static CUresult start(const char* visible) {
        setenv("CUDA_VISIBLE_DEVICES", visible, 1);
        sim::Options options = sim::options_from_environment();
        options.devices = 3;
        sim::install(options);
        return cuInit(0).status;
    }
    static int index_of(CUdevice device) { return cuDeviceGetUuid_v2(device).value.bytes[15]; }
};

TEST_F(SimVisibleDevicesTest, AreRenumbered) {
    ASSERT_EQ(start("2,0"), CUDA_SUCCESS);
    EXPECT_EQ(cuDeviceGetCount().value, 2);
    EXPECT_EQ(index_of(0), 2);
    EXPECT_EQ(index_of(1), 0);
    char address[32];
    EXPECT_EQ(cuDeviceGetPCIBusId(address, sizeof address, 0).status, CUDA_SUCCESS);
    EXPECT_STREQ(address, "0000:03:00.0");
    EXPECT_EQ(cuDeviceGetByPCIBusId(address).value, 0);
    EXPECT_EQ(cuDeviceGetByPCIBusId("0000:02:00.0").status, CUDA_ERROR_INVALID_DEVICE) << "of a device that is hidden";
    EXPECT_EQ(cuDeviceGet(2).status, CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(cuCtxCreate_v2(0, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetDevice().value, 1);
    EXPECT_EQ(cuMemAlloc(64).status, CUDA_SUCCESS);
}

TEST_F(SimVisibleDevicesTest, AreSelectedByUuid) {
    ASSERT_EQ(start("GPU-63756269-6e64-2073-696d-756c61746501"), CUDA_SUCCESS);
    EXPECT_EQ(cuDeviceGetCount().value, 1);
    EXPECT_EQ(index_of(0), 1);
}

TEST_F(SimVisibleDevicesTest, DecideTheStatusOfInitialization) {
    EXPECT_EQ(start(""), CUDA_ERROR_NO_DEVICE);
    EXPECT_EQ(start("-1"), CUDA_ERROR_NO_DEVICE);
    EXPECT_EQ(start("0,0"), CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(start("0"), CUDA_SUCCESS);
}

TEST_F(SimVisibleDevicesTest, AreAllForOptionsOfTheProgram) {
    setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    sim::install({.devices = 2});
    EXPECT_EQ(cuInit(0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDeviceGetCount().value, 2);
}

}  // namespace
}  // namespace cubind::testing
