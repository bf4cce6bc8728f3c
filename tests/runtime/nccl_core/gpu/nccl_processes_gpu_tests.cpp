// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// NCCL itself, on two GPUs in two processes, which this program starts with a role.
#include <cubind/core.hpp>
#include <cubind/nccl_core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <signal.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "nccl_gpu.hpp"

extern char** environ;

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;

constexpr const char* role_variable = "CUBIND_NCCL_TEST_ROLE";

struct Named {
    const char* name;
    void (*call)(nccl::Communicator&, StreamRef, TypedBuffer<float>&);
};
// Each operation of rank 0 needs rank 1.
constexpr Named operations[] = {
    {"all_reduce", [](nccl::Communicator& c, StreamRef s, TypedBuffer<float>& x) { c.all_reduce(s, x); }},
    {"reduce", [](nccl::Communicator& c, StreamRef s, TypedBuffer<float>& x) { c.reduce(s, x, 0); }},
    {"broadcast", [](nccl::Communicator& c, StreamRef s, TypedBuffer<float>& x) { c.broadcast(s, x, 1); }},
    {"all_gather", [](nccl::Communicator& c, StreamRef s, TypedBuffer<float>& x) { c.all_gather(s, x); }},
    {"reduce_scatter", [](nccl::Communicator& c, StreamRef s, TypedBuffer<float>& x) { c.reduce_scatter(s, x); }},
    {"all_to_all", [](nccl::Communicator& c, StreamRef s,
                      TypedBuffer<float>& x) { c.all_to_all(s, x.first(element_count / 2), x.last(element_count / 2)); }},
    {"gather", [](nccl::Communicator& c, StreamRef s,
                  TypedBuffer<float>& x) { c.gather(s, x.first(element_count / 4), x.last(element_count / 2), 0); }},
    {"scatter", [](nccl::Communicator& c, StreamRef s,
                   TypedBuffer<float>& x) { c.scatter(s, x.first(element_count / 2), x.last(element_count / 4), 1); }},
    {"receive",
     [](nccl::Communicator& c, StreamRef s, TypedBuffer<float>& x) { c.rank() == 0 ? c.receive(s, x, 1) : c.send(s, x, 0); }},
};

// Runs one operation in which rank 1 takes part, and one during which it has ended. Returns the exit status of rank 0.
int survive(const std::string& name) {
    nccl::Communicator communicator = nccl::Communicator::from_environment();
    const Device device = communicator.device();
    Stream stream(device);
    auto data = device.allocate<float>(stream, element_count);
    data.fill(stream, 1.0f);
    const Named* const found =
        std::find_if(std::begin(operations), std::end(operations), [&](const Named& each) { return each.name == name; });
    found->call(communicator, stream, data);
    communicator.wait(stream, 30s);
    if (communicator.rank() == 1) ::raise(SIGKILL);
    const auto begin = std::chrono::steady_clock::now();
    try {
        found->call(communicator, stream, data);
        communicator.wait(stream, 3s);
        return 2;  // without rank 1
    } catch (const nccl::CommunicationError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    communicator = nccl::Communicator();  // ends it, if the call failed and not the wait
    if (std::chrono::steady_clock::now() - begin > 20s) return 3;
    nccl::Communicator alone = nccl::Communicator::init(device, 1, 0, nccl::UniqueId::create());
    data.fill(stream, 5.0f);
    alone.all_reduce(stream, data);
    alone.wait(stream, 30s);
    return data.get(stream, element_count - 1) == 5.0f ? 0 : 4;
}

int reduce_together(const nccl::CommunicatorConfig& config) {
    nccl::Communicator communicator = nccl::Communicator::from_environment(config);
    communicator.wait_until_ready(60s);
    Stream stream(communicator.device());
    auto data = communicator.device().allocate<float>(stream, element_count);
    data.fill(stream, static_cast<float>(communicator.rank() + 1));
    communicator.all_reduce(stream, data);
    communicator.wait(stream, 30s);
    return data.get(stream, 0) == 3.0f && data.get(stream, element_count - 1) == 3.0f ? 0 : 2;
}

int run_role(const std::string& role) {
    try {
        if (role == "together") return reduce_together({});
        if (role == "together without blocking") return reduce_together({.blocking = false});
        if (role == "share a device") {
            ::setenv("CUBIND_LOCAL_RANK", "0", 1);
            try {
                static_cast<void>(nccl::Communicator::from_environment());
            } catch (const std::invalid_argument& error) {
                return std::strstr(error.what(), "one rank a GPU") != nullptr ? 0 : 2;
            }
            return 3;
        }
        return survive(role);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

class NcclProcessesGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = problem(); !why.empty()) GTEST_SKIP() << why;
    }
    /// Starts two processes with the role, and returns their results of waitpid().
    static std::vector<int> run(const std::string& role) {
        const std::string point =
            "CUBIND_MEETING_POINT=file:" + ::testing::TempDir() + "/nccl-meeting-" + std::to_string(::getpid());
        std::vector<pid_t> started;
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<std::string> variables = {std::string(role_variable) + "=" + role, point, "CUBIND_SIZE=2",
                                                  "CUBIND_RANK=" + std::to_string(rank),
                                                  "CUBIND_LOCAL_RANK=" + std::to_string(rank)};
            for (char** each = environ; *each != nullptr; ++each) variables.emplace_back(*each);
            std::vector<char*> environment;
            for (std::string& each : variables) environment.push_back(each.data());
            environment.push_back(nullptr);
            std::string program = "/proc/self/exe";
            char* arguments[] = {program.data(), nullptr};
            pid_t id = -1;
            EXPECT_EQ(::posix_spawn(&id, program.c_str(), nullptr, nullptr, arguments, environment.data()), 0);
            started.push_back(id);
        }
        std::vector<int> ends;
        for (const pid_t each : started) {
            int status = -1;
            ::waitpid(each, &status, 0);
            ends.push_back(status);
        }
        return ends;
    }
};

TEST_F(NcclProcessesGpuTest, Reduce) {
    EXPECT_EQ(run("together"), (std::vector<int>{0, 0}));
}

TEST_F(NcclProcessesGpuTest, ReduceWithoutBlocking) {
    EXPECT_EQ(run("together without blocking"), (std::vector<int>{0, 0}));
}

TEST_F(NcclProcessesGpuTest, AreToldThatTheyShareADevice) {
    EXPECT_EQ(run("share a device"), (std::vector<int>{0, 0}));
}

TEST_F(NcclProcessesGpuTest, SurviveTheEndOfAnotherInEachOperation) {
    for (const Named& each : operations) {
        SCOPED_TRACE(each.name);
        EXPECT_EQ(run(each.name), (std::vector<int>{0, SIGKILL}));
    }
}

}  // namespace
}  // namespace cubind::testing

int main(int count, char** arguments) {
    ::setenv("NCCL_NVLS_ENABLE", "0", 0);  // multicast of NVLink can disturb other users of the host
    if (const char* const role = std::getenv(cubind::testing::role_variable); role != nullptr)
        return cubind::testing::run_role(role);
    ::testing::InitGoogleTest(&count, arguments);
    return RUN_ALL_TESTS();
}
