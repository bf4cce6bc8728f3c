// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/process/process.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/checkpoint.hpp>
#include <cubind/driver/device.hpp>
#include <cubind/driver/memory.hpp>

#include <atomic>
#include <thread>
#include <unistd.h>

#include "core_test.hpp"
#include "gate.hpp"

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

class ProcessTest : public CoreTest {
protected:
    ProcessTest() { (void)device.context(); }

    /// Lets the process run, whatever its state is.
    void run() const {
        const layers::Unobserved own_calls;
        (void)driver::cuCheckpointProcessRestore(process.pid(), nullptr);
        (void)driver::cuCheckpointProcessUnlock(process.pid(), nullptr);
    }
    template <class Exception = Error>
    static std::string message(const std::function<void()>& operation) {
        return message_of<Exception>(operation);
    }

    Device device{0};
    Process process = Process::current();
};

TEST_F(ProcessTest, GoesThroughTheStates) {
    EXPECT_EQ(process, Process(::getpid()));
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_RUNNING);
    process.lock(10s);
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_LOCKED);
    process.checkpoint();
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_CHECKPOINTED);
    EXPECT_GT(process.restore_thread_id(), 0);
    process.restore();
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_LOCKED);
    process.unlock();
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_RUNNING);
    process.lock();
    process.unlock();
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ProcessTest, NamesTheStateThatAFunctionRequires) {
    EXPECT_THAT(message([&] { process.checkpoint(); }),
                AllOf(HasSubstr(std::to_string(::getpid())), HasSubstr("CU_PROCESS_STATE_LOCKED"),
                      HasSubstr("is CU_PROCESS_STATE_RUNNING")));
    EXPECT_THAT(message([&] { process.restore(); }), HasSubstr("must be CU_PROCESS_STATE_CHECKPOINTED"));
    EXPECT_THAT(message([&] { process.unlock(); }), HasSubstr("must be CU_PROCESS_STATE_LOCKED"));
    process.lock();
    EXPECT_THAT(message([&] { process.lock(1s); }),
                AllOf(HasSubstr("must be CU_PROCESS_STATE_RUNNING"), HasSubstr("is CU_PROCESS_STATE_LOCKED")));
    process.unlock();
}

TEST_F(ProcessTest, RejectsWrongProcesses) {
    EXPECT_THAT(message<std::invalid_argument>([] { (void)Process(0); }), HasSubstr("0"));
    EXPECT_THAT(message<std::invalid_argument>([] { (void)Process(-3); }), HasSubstr("-3"));
    EXPECT_THAT(message([] { (void)Process(1 << 30).state(); }), AllOf(HasSubstr("1073741824"), HasSubstr("ptrace")));
    EXPECT_THAT(message([] { Process(1).lock(1s); }), HasSubstr("CUDA_ERROR_NOT_SUPPORTED")) << "not simulated";
}

TEST_F(ProcessTest, RejectsWrongTimeouts) {
    for (const std::chrono::milliseconds timeout : {0ms, -1ms, 4294967296ms}) {
        EXPECT_THAT(message<std::invalid_argument>([&] { process.lock(timeout); }),
                    AllOf(HasSubstr("4294967295"), HasSubstr(std::to_string(timeout.count()))));
    }
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_RUNNING);
}

TEST_F(ProcessTest, WaitsForWork) {
    const Stream stream(device);
    Gate gate(stream);
    EXPECT_THAT(message([&] { process.lock(20ms); }), AllOf(HasSubstr("CUDA_ERROR_NOT_READY"), HasSubstr("20 ms")));
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_RUNNING);
    std::thread opener([&] {
        std::this_thread::sleep_for(20ms);
        gate.open();
    });
    process.lock();
    opener.join();
    process.unlock();
    EXPECT_TRUE(stream.is_done());
}

TEST_F(ProcessTest, MakesCallsOfOtherThreadsWait) {
    process.lock();
    process.checkpoint();
    std::atomic<bool> has_returned{false};
    std::thread caller([&] {
        (void)driver::cuDeviceGetCount();
        has_returned = true;
    });
    std::this_thread::sleep_for(50ms);
    EXPECT_FALSE(has_returned);
    process.restore();
    std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(has_returned);
    process.unlock();
    caller.join();
    EXPECT_TRUE(has_returned);
}

TEST_F(ProcessTest, RestoresToNamedDevices) {
    const std::string first = device.uuid(), second = Device(1).uuid();
    process.lock();
    process.checkpoint();
    const auto refusal = [&](const std::vector<DeviceMapping>& devices) { return message([&] { process.restore(devices); }); };
    EXPECT_THAT(refusal({{first, first}, {second, "00000000-0000-0000-0000-000000000000"}}),
                HasSubstr("mapping names 2 devices"));
    EXPECT_THAT(refusal({{first, first}}), HasSubstr("mapping names 1 device; it must contain each device"));
    for (const std::string text :
         {"", "GPU-", "0", "0a1b2c3d-0123-4567-89ab-0123456789a", "0a1b2c3d-0123-4567-89ab-0123456789abc",
          "0a1b2c3d-0123-4567-89ab-0123456789ag", "0a1b2c3d001230456709ab00123456789abc", "MIG-"}) {
        EXPECT_THAT(message<std::invalid_argument>([&] { process.restore({{first, text}}); }), HasSubstr("\"" + text + "\""));
    }
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_CHECKPOINTED);
    process.restore({{first, "GPU-" + first}, {"GPU-" + second, second}});
    EXPECT_EQ(process.state(), driver::CU_PROCESS_STATE_LOCKED);
    process.unlock();
}

TEST_F(ProcessTest, NamesTheReleaseThatAnOlderDriverLacks) {
    sim::install({.release = "12.4"});
    EXPECT_THAT(message<std::invalid_argument>([&] { process.lock(); }), AllOf(HasSubstr("12.8"), HasSubstr("12.4")));
    EXPECT_THAT(message<std::invalid_argument>([&] { (void)process.state(); }), HasSubstr("12.8"));
}

TEST_F(ProcessTest, SweepReportsFailures) {
    sweep([&] {
        try {
            process.lock(1s);
            process.checkpoint();
            process.restore();
            process.unlock();
        } catch (...) {
            run();
            throw;
        }
    });
    sweep([&] {
        (void)process.state();
        (void)process.restore_thread_id();
    });
}

}  // namespace
}  // namespace cubind::testing
