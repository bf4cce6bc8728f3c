// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/launch.hpp>
#include <cubind/core/memory.hpp>
#include <cubind/core/program.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/driver/logs.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/failure.hpp>
#include <cubind/layers/trace.hpp>

#include <atomic>
#include <optional>
#include <sstream>
#include <stdlib.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* faulty_ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry crash() { .reg .u64 %a; mov.u64 %a, 64; st.global.u32 [%a], 1; ret; }
)";

/// Returns the error that the function throws.
template <class Function>
std::optional<Error> error_of(const Function& function) {
    try {
        function();
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return std::nullopt;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// Fails with a reason that the driver writes to its log.
std::optional<Error> fail_with_reason() {
    return error_of([] { check(driver::cuLogsUnregisterCallback(nullptr)); });
}

/// Fails without a reason.
std::optional<Error> fail_without_reason() {
    return error_of([] { check(driver::cuMemFree(7)); });
}

/// Errors of the driver, with what its log says about them.
class DriverLogTest : public CoreTest {
protected:
    void SetUp() override {
        CoreTest::SetUp();
        (void)Device::count();  // initializes the driver
    }
};

TEST_F(DriverLogTest, StatesKernelThreadAndLineOfAnIllegalAddress) {
    const Device device;
    Stream stream(device);
    const ObjectCode code = ObjectCode::from_bytes(CodeType::ptx, std::string_view(faulty_ptx));
    launch(stream, {.grid = 1, .block = 1}, code.kernel("crash"));
    const auto error = error_of([&] { stream.synchronize(); });
    EXPECT_TRUE(error->is_sticky());
    EXPECT_THAT(error->driver_log(), AllOf(HasSubstr("kernel crash"), HasSubstr("0x40"), HasSubstr("thread (0, 0, 0)"),
                                           HasSubstr("PTX line 5"), EndsWith("from cuStreamSynchronize")));
    EXPECT_EQ(lines_of(error->driver_log()).size(), 2u) << "and not the line of the thread that ran the kernel";
    EXPECT_THAT(error->what(), AllOf(HasSubstr("An earlier kernel accessed an invalid address"), EndsWith(error->driver_log())));
    const auto later = error_of([&] { (void)DeviceMemoryResource(device).allocate(stream, 16); });
    EXPECT_THAT(later->driver_log(), HasSubstr("kernel crash")) << "the status persists, and so does the reason";
    EXPECT_TRUE(later->is_sticky());
    stream = Stream();
    EXPECT_THAT(taken_cleanup_messages(), ::testing::ElementsAre(HasSubstr("An earlier kernel accessed an invalid address")));
}

TEST_F(DriverLogTest, ContainsOnlyTheFailedCall) {
    const auto first = fail_with_reason();
    EXPECT_THAT(first->driver_log(), HasSubstr("not registered"));
    EXPECT_FALSE(first->is_sticky());
    const auto second = fail_without_reason();
    EXPECT_EQ(lines_of(second->driver_log()).size(), 1u);
    EXPECT_THAT(second->driver_log(), EndsWith("Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemFree_v2"));
    EXPECT_EQ(lines_of(fail_with_reason()->driver_log()).size(), 2u);
    Device().synchronize();
    EXPECT_THAT(error_of([] { throw Error("driver", "cuMemFree_v2", 1, "CUDA_ERROR_INVALID_VALUE", "Text."); })->driver_log(),
                IsEmpty());
}

TEST_F(DriverLogTest, ContainsTheLinesOfAStoredResult) {
    const auto stored = driver::cuLogsUnregisterCallback(nullptr);
    Device().synchronize();
    EXPECT_THAT(error_of([&] { check(stored); })->driver_log(), HasSubstr("not registered"));
}

TEST_F(DriverLogTest, ContainsTheLinesOfAStoredResultAfterOtherFailures) {
    const auto stored = driver::cuLogsUnregisterCallback(nullptr);
    EXPECT_EQ(driver::cuMemAlloc(16).status, driver::CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_THAT(error_of([&] { check(stored); })->driver_log(), AllOf(HasSubstr("not registered"), Not(HasSubstr("cuMemAlloc"))));
}

TEST_F(DriverLogTest, IsEmptyForAStoredResultOfOneOfSeveralFunctions) {
    const auto stored = driver::cuLogsUnregisterCallback(nullptr);
    EXPECT_EQ(driver::cuMemFree(7).status, stored.status);
    const auto error = error_of([&] { check(stored); });
    EXPECT_THAT(error->driver_log(), IsEmpty());
    EXPECT_THAT(error->what(), AllOf(HasSubstr("cuLogsUnregisterCallback"), HasSubstr("cuMemFree_v2")));
}

TEST_F(DriverLogTest, GivesEachThreadItsOwnLines) {
    std::atomic<int> ready{0};
    std::atomic<int> wrong{0};
    const auto fail_often = [&](bool has_reason) {
        ++ready;
        while (ready < 4) std::this_thread::yield();
        for (int i = 0; i < 200; ++i) {
            const auto error = has_reason ? fail_with_reason() : fail_without_reason();
            const auto lines = lines_of(error->driver_log());
            // Other threads may have overwritten the first line, or both, but never add one.
            if (lines.size() > (has_reason ? 2u : 1u)) ++wrong;
            if (!lines.empty() && !lines.back().ends_with(error->function())) ++wrong;
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(fail_often, i % 2 == 0);
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(wrong, 0);
}

struct Received {
    std::atomic<int> count{0};
};

TEST_F(DriverLogTest, LeavesCallbackAndPositionOfOtherCode) {
    Received received;
    const auto callback = check(driver::cuLogsRegisterCallback(
        [](void* data, driver::CUlogLevel, char*, std::size_t) { ++static_cast<Received*>(data)->count; }, &received));
    const auto position = check(driver::cuLogsCurrent(0));
    EXPECT_THAT(fail_with_reason()->driver_log(), Not(IsEmpty()));
    EXPECT_EQ(received.count, 2);
    char buffer[1000];
    const auto [next, size] = check(driver::cuLogsDumpToMemory(position, buffer, sizeof buffer, 0));
    EXPECT_EQ(next, position + 2);
    EXPECT_EQ(lines_of(std::string(buffer, size)).size(), 2u) << "reading for the error has written nothing";
    check(driver::cuLogsUnregisterCallback(callback));
}

TEST_F(DriverLogTest, MakesNoCallThatLayersSee) {
    layers::trace::start({.memory = 1 << 16});
    fail_with_reason();
    layers::trace::stop();
    EXPECT_THAT(layers::trace::recorded(), AllOf(HasSubstr("cuLogsUnregisterCallback"), Not(HasSubstr("cuLogsCurrent")),
                                                 Not(HasSubstr("cuLogsDumpToMemory"))));
}

TEST_F(DriverLogTest, CanBeTurnedOff) {
    setenv("CUBIND_DRIVER_LOG", "0", 1);
    const auto error = fail_with_reason();
    EXPECT_THAT(error->driver_log(), IsEmpty());
    EXPECT_THAT(error->what(), Not(HasSubstr("Returning")));
    setenv("CUBIND_DRIVER_LOG", "1", 1);
    EXPECT_THAT(fail_with_reason()->driver_log(), Not(IsEmpty()));
    unsetenv("CUBIND_DRIVER_LOG");
}

TEST_F(DriverLogTest, IsEmptyInAHostFunction) {
    Stream stream(Device{});
    std::optional<Error> error;
    stream.launch_host_function([&] { error = error_of([] { check(driver::cuMemFree(7)); }); });
    stream.synchronize();
    EXPECT_THAT(error->driver_log(), IsEmpty());
}

TEST_F(DriverLogTest, IsEmptyInAChildOfForkWhileThreadsFail) {
    std::atomic<bool> is_done{false};
    std::thread failing([&] {
        while (!is_done) fail_with_reason();
    });
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);  // ends a child that waits for a lock
        const auto error = fail_with_reason();
        _exit(error && error->driver_log().empty() ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    is_done = true;
    failing.join();
}

class OldDriverLogTest : public CoreTest {
protected:
    OldDriverLogTest() : CoreTest({.release = "12.8"}) {}
};

TEST_F(OldDriverLogTest, IsEmptyBeforeCuda129) {
    EXPECT_THAT(fail_without_reason()->driver_log(), IsEmpty());
    EXPECT_EQ(last_failure().reason, FailureReason::status) << "the search for the log is no failure";
}

}  // namespace
}  // namespace cubind::testing
