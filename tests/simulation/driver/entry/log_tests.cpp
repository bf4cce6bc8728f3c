// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/loading.hpp>
#include <cubind/entry_point.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <pthread.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

/// The log of the driver: cuLogs*.
class SimLogTest : public KernelTest {
protected:
    /// Returns the function with its C signature, which accepts null pointers.
    template <class Signature, class Wrapper>
    static Signature* raw(Wrapper* wrapper) {
        return reinterpret_cast<Signature*>(address_of(*driver::entry_point_of(reinterpret_cast<void (*)()>(wrapper))));
    }
    static CUresult dump(CUlogIterator* iterator, char* buffer, std::size_t* size) {
        return raw<CUresult(CUlogIterator*, char*, std::size_t*, unsigned)>(cuLogsDumpToMemory)(iterator, buffer, size, 0);
    }
    static std::string all() {
        char buffer[25601] = "";  // an empty log leaves it unchanged
        std::size_t size = sizeof buffer;
        EXPECT_EQ(dump(nullptr, buffer, &size), CUDA_SUCCESS);
        EXPECT_EQ(buffer[size], '\0');
        return {buffer, size};
    }
    static std::vector<std::string> lines_of(const std::string& text) {
        std::istringstream stream(text);
        std::vector<std::string> lines;
        for (std::string line; std::getline(stream, line);) lines.push_back(line);
        return lines;
    }
    /// Writes two messages: the reason and the status.
    static void fail() { EXPECT_EQ(cuLogsUnregisterCallback(nullptr).status, CUDA_ERROR_INVALID_VALUE); }
    static std::string this_thread() { return '[' + std::to_string(static_cast<unsigned long>(pthread_self())) + ']'; }
};

TEST_F(SimLogTest, StatesReasonStatusAndFunctionOfAFailedCall) {
    EXPECT_EQ(all(), "") << "a successful call writes nothing";
    fail();
    const auto lines = lines_of(all());
    ASSERT_EQ(lines.size(), 2u);
    for (const std::string& line : lines) {
        EXPECT_THAT(line, MatchesRegex(R"(\[[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{3}\]\[[0-9]+\]\[CUDA\]\[E\] .*)"));
        EXPECT_THAT(line, HasSubstr(this_thread()));
    }
    EXPECT_THAT(lines[0], HasSubstr("callback is not registered"));
    EXPECT_THAT(lines[1], ::testing::EndsWith("Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuLogsUnregisterCallback"));
}

TEST_F(SimLogTest, StatesTheReasonOfAFaultToTheThreadWhoseCallReportsIt) {
    const CUmodule faulty = load(
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry crash() { .reg .u64 %a; mov.u64 %a, 64; st.global.u32 [%a], 1; ret; }\n");
    const auto crash = cuModuleGetFunction(faulty, "crash").value;
    EXPECT_EQ(launch(crash), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_ILLEGAL_ADDRESS);
    std::vector<std::string> mine;
    for (const std::string& line : lines_of(all())) {
        if (line.find(this_thread()) != std::string::npos) mine.push_back(line);
    }
    ASSERT_EQ(mine.size(), 2u) << all();
    EXPECT_THAT(mine[0], AllOf(HasSubstr("crash"), HasSubstr("0x40"), HasSubstr("thread")));
    EXPECT_THAT(mine[1], HasSubstr("Returning 700 (CUDA_ERROR_ILLEGAL_ADDRESS) from cuCtxSynchronize"));
    EXPECT_EQ(lines_of(all()).size(), 3u) << "the thread of the kernel has written the reason once";
}

TEST_F(SimLogTest, SaysThatAFunctionIsNotSimulated) {
    EXPECT_EQ(cuProfilerInitialize("", "", CU_OUT_KEY_VALUE_PAIR).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_THAT(all(), AllOf(HasSubstr("does not implement cuProfilerInitialize"), HasSubstr("Returning 801")));
}

TEST_F(SimLogTest, ContinuesAtAPosition) {
    fail();
    const auto end = cuLogsCurrent(0);
    ASSERT_EQ(end.status, CUDA_SUCCESS);
    char buffer[1000] = "unchanged";
    auto [status, position, size] = cuLogsDumpToMemory(end.value, buffer, sizeof buffer, 0);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(size, 0u) << "there are no messages";
    EXPECT_EQ(position, end.value);
    EXPECT_STREQ(buffer, "unchanged");
    fail();
    const auto later = cuLogsDumpToMemory(end.value, buffer, sizeof buffer, 0);
    EXPECT_EQ(later.status, CUDA_SUCCESS);
    EXPECT_EQ(later.value1, end.value + 2) << "positions count messages";
    EXPECT_EQ(lines_of(std::string(buffer, later.value2)).size(), 2u);
    EXPECT_EQ(lines_of(all()).size(), 4u) << "a reader does not change what others read";
}

TEST_F(SimLogTest, StatesTheStatusIfItKnowsNoReason) {
    EXPECT_EQ(cuMemFree(7).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_THAT(lines_of(all()), ElementsAre(HasSubstr("Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemFree_v2")));
}

TEST_F(SimLogTest, RefusesPositionsAfterTheEnd) {
    char buffer[100];
    EXPECT_EQ(cuLogsDumpToMemory(cuLogsCurrent(0).value, buffer, sizeof buffer, 1).status, CUDA_SUCCESS) << "any flags";
    EXPECT_EQ(cuLogsDumpToMemory(cuLogsCurrent(0).value + 1, buffer, sizeof buffer, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLogsDumpToFile(cuLogsCurrent(0).value + 1, "/dev/null", 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLogsCurrent(1).status, CUDA_SUCCESS);
    EXPECT_EQ(lines_of(all()).size(), 4u);
}

TEST_F(SimLogTest, SaysThatABufferIsTooSmall) {
    for (int i = 0; i < 5; ++i) fail();
    const CUlogIterator begin = cuLogsCurrent(0).value - 10;
    const std::string whole = all();
    bool has_failed = false;
    for (std::size_t room = whole.size() + 1; room > 0; --room) {
        std::string buffer(room, '#');
        std::size_t size = room;
        CUlogIterator position = begin;
        if (dump(&position, buffer.data(), &size) != CUDA_SUCCESS) {
            EXPECT_EQ(size, 0u);
            EXPECT_EQ(buffer[0], '\0');
            EXPECT_EQ(position, begin);
            EXPECT_LT(room, lines_of(whole).back().size() + 60);
            has_failed = true;
            break;  // the failure has written further messages
        }
        ASSERT_LT(size, room);
        EXPECT_EQ(buffer[size], '\0');
        EXPECT_EQ(position, begin + 10);
        const std::string text = buffer.substr(0, size);
        EXPECT_THAT(text, ::testing::EndsWith("from cuLogsUnregisterCallback\n")) << "the latest message is always there";
        if (room <= whole.size()) {
            EXPECT_THAT(lines_of(text)[0], AllOf(HasSubstr("too small"), ::testing::Not(StartsWith("["))));
            EXPECT_THAT(lines_of(text)[1], StartsWith("[")) << "no part of a message";
        }
    }
    EXPECT_TRUE(has_failed);
    EXPECT_EQ(dump(nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
    std::size_t none = 0;
    char byte = '#';
    EXPECT_EQ(dump(nullptr, &byte, &none), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(byte, '#');
}

TEST_F(SimLogTest, SaysThatOldMessagesWereOverwritten) {
    const CUlogIterator begin = cuLogsCurrent(0).value;
    for (int i = 0; i < 51; ++i) fail();
    char buffer[25601];
    const auto read = cuLogsDumpToMemory(begin, buffer, sizeof buffer, 0);
    const auto lines = lines_of(std::string(buffer, read.value2));
    ASSERT_EQ(lines.size(), 101u) << "100 messages and the notice";
    EXPECT_THAT(lines[0], HasSubstr("overwritten"));
    EXPECT_EQ(read.value1, begin + 102);
}

TEST_F(SimLogTest, HasAtMost25600Bytes) {
    const std::string name(4000, 'x');
    sim::define_kernel("empty", [&](const sim::Launch&) { throw std::runtime_error(name); });
    EXPECT_EQ(launch(function("empty")), CUDA_SUCCESS);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_LE(all().size(), 25600u + 60);
    EXPECT_GT(all().size(), 20000u);
}

TEST_F(SimLogTest, WritesAFile) {
    fail();
    const std::string path = ::testing::TempDir() + "cubind_log_" + std::to_string(getpid());
    EXPECT_EQ(cuLogsDumpToFile(cuLogsCurrent(0).value - 2, path.c_str(), 0).value, cuLogsCurrent(0).value);
    std::ifstream file(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), all());
    std::filesystem::remove(path);
    EXPECT_EQ(cuLogsDumpToFile(0, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLogsDumpToFile(0, "/no/such/folder/log", 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLogsDumpToFile(0, "/dev/full", 0).status, CUDA_ERROR_INVALID_VALUE);
}

struct Received {
    std::vector<std::string> texts;
    std::vector<std::thread::id> threads;
    CUlogsCallbackHandle handle = nullptr;
    bool removes_itself = false;
};

void receive(void* data, CUlogLevel level, char* message, std::size_t length) {
    EXPECT_EQ(level, CU_LOG_LEVEL_ERROR);
    EXPECT_EQ(message[length], '\0');
    auto& received = *static_cast<Received*>(data);
    received.texts.emplace_back(message, length);
    received.threads.push_back(std::this_thread::get_id());
    if (received.removes_itself) {
        EXPECT_EQ(cuLogsUnregisterCallback(received.handle).status, CUDA_SUCCESS);
        EXPECT_EQ(cuLogsUnregisterCallback(received.handle).status, CUDA_ERROR_INVALID_VALUE) << "and writes a message";
    }
}

TEST_F(SimLogTest, CallsRegisteredFunctionsUntilTheyAreRemoved) {
    Received first;
    Received second;
    first.handle = cuLogsRegisterCallback(receive, &first).value;
    const auto registered = raw<CUresult(CUlogsCallback, void*, CUlogsCallbackHandle*)>(cuLogsRegisterCallback);
    EXPECT_EQ(registered(receive, &second, nullptr), CUDA_SUCCESS) << "the handle is optional";
    fail();
    EXPECT_THAT(first.texts, ElementsAre(HasSubstr("not registered"), HasSubstr("Returning 1")));
    EXPECT_EQ(second.texts, first.texts);
    EXPECT_EQ(first.threads, std::vector(2, std::this_thread::get_id()));
    EXPECT_EQ(cuLogsUnregisterCallback(first.handle).status, CUDA_SUCCESS);
    fail();
    EXPECT_EQ(first.texts.size(), 2u);
    EXPECT_EQ(second.texts.size(), 4u);
    EXPECT_EQ(cuLogsRegisterCallback(nullptr, nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimLogTest, LetsAFunctionRemoveItself) {
    Received received;
    received.handle = cuLogsRegisterCallback(receive, &received).value;
    received.removes_itself = true;
    fail();
    EXPECT_EQ(received.texts.size(), 1u);
}

TEST_F(SimLogTest, BeginsAnewWithTheSimulation) {
    Received received;
    (void)cuLogsRegisterCallback(receive, &received);
    fail();
    SimTest::TearDown();
    KernelTest::SetUp();
    EXPECT_EQ(all().find("Returning"), std::string::npos);
    fail();
    EXPECT_EQ(received.texts.size(), 2u);
}

TEST_F(SimLogTest, CanBeUsedInAChildOfForkWhileThreadsWrite) {
    std::atomic<bool> is_done{false};
    std::thread writer([&] {
        while (!is_done) fail();
    });
    for (int i = 0; i < 20; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);  // ends a child that waits for a lock
            fail();
            _exit(all().empty() ? 1 : 0);
        }
        int status = -1;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
        if (status != 0) break;
    }
    is_done = true;
    writer.join();
}

}  // namespace
}  // namespace cubind::testing
