// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Checkpoints of this process on a GPU.

#include <cubind/core.hpp>
#include <cubind/core/process/process.hpp>
#include <cubind/driver/version.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <unistd.h>
#include <vector>

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

class ProcessGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        try {
            (void)Device().context();
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        if (check(driver::cuDriverGetVersion()) < 12080) GTEST_SKIP() << "checkpoints need a driver of CUDA 12.8";
    }

    static std::string message(const auto& operation) {
        try {
            operation();
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }

    Process process = Process::current();
};

TEST_F(ProcessGpuTest, KeepsTheMemoryOfTheDevice) {
    const Device device;
    const Stream stream(device);
    Buffer buffer = device.allocate(stream, 64 << 20);
    fill(stream, buffer, 4711);
    process.lock(10s);
    process.checkpoint();
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_CHECKPOINTED);
    EXPECT_GT(process.restore_thread_id(), 0);
    process.restore();
    process.unlock();
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_RUNNING);
    std::vector<int> values(buffer.size() / sizeof(int));
    copy(stream, values, buffer);
    stream.synchronize();
    EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](int value) { return value == 4711; }));
}

TEST_F(ProcessGpuTest, RestoresToNamedDevices) {
    // The mapping contains each device that the process can see, although it has a context on one of them only.
    std::vector<DeviceMapping> same, wrong;
    for (int i = 0; i < Device::count(); ++i) {
        const std::string uuid = Device(i).uuid();
        same.push_back({"GPU-" + uuid, uuid});
        wrong.push_back({uuid, "00000000-0000-0000-0000-000000000000"});
    }
    process.lock(10s);
    process.checkpoint();
    EXPECT_THAT(message([&] { process.restore(wrong); }), HasSubstr("mapping names " + std::to_string(wrong.size())));
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_CHECKPOINTED);
    process.restore(same);
    process.unlock();
}

TEST_F(ProcessGpuTest, NamesTheStateThatAFunctionRequires) {
    EXPECT_THAT(message([&] { process.unlock(); }),
                AllOf(HasSubstr("must be CU_PROCESS_STATE_LOCKED"), HasSubstr("is CU_PROCESS_STATE_RUNNING")));
    process.lock(10s);
    EXPECT_THAT(message([&] { process.lock(10s); }), HasSubstr("must be CU_PROCESS_STATE_RUNNING"));
    process.unlock();
}

TEST_F(ProcessGpuTest, RejectsProcessesWithoutCuda) {
    EXPECT_THAT(message([] { (void)Process(1).state(); }), HasSubstr("does not use CUDA"));
    EXPECT_THAT(message([] { (void)Process(1 << 22).state(); }), HasSubstr("no process 4194304"));
}

}  // namespace
}  // namespace cubind::testing
