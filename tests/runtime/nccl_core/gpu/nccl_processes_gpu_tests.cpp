// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// NCCL itself, on GPUs in processes of their own, which this program starts with a role.
#include <cubind/core.hpp>
#include <cubind/library.hpp>
#include <cubind/nccl_core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <signal.h>
#include <span>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "nccl_gpu.hpp"

extern char** environ;

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;

constexpr const char* role_variable = "CUBIND_NCCL_TEST_ROLE";

// The elements of the operations that a rank does not survive: more than NCCL's buffers hold, so that no rank can end without it.
constexpr std::size_t many = std::size_t{1} << 29;
constexpr std::size_t part = many / 8;

struct Member {
    nccl::Communicator& communicator;
    StreamRef stream;
    TypedBuffer<float>& data;

    int victim() const { return communicator.size() - 1; }
    bool is_victim() const { return communicator.rank() == victim(); }
    // Calls `one(peer)` of the victim for all others, and `other()` of the others.
    template <class One, class Other>
    void exchange(One one, Other other) const {
        nccl::Group group;
        if (is_victim()) {
            for (int peer = 0; peer < victim(); ++peer) one(peer);
        } else {
            other();
        }
        group.end();
    }
    std::size_t parts() const { return static_cast<std::size_t>(communicator.size()) * part; }
};

struct Named {
    const char* name;
    void (*call)(const Member&);
};
// Each operation of the other ranks needs the victim.
constexpr Named operations[] = {
    {"all_reduce", [](const Member& r) { r.communicator.all_reduce(r.stream, r.data); }},
    {"reduce", [](const Member& r) { r.communicator.reduce(r.stream, r.data, 0); }},
    {"broadcast", [](const Member& r) { r.communicator.broadcast(r.stream, r.data, r.victim()); }},
    {"all_gather", [](const Member& r) { r.communicator.all_gather(r.stream, r.data); }},
    {"reduce_scatter", [](const Member& r) { r.communicator.reduce_scatter(r.stream, r.data); }},
    {"all_to_all", [](const Member& r) { r.communicator.all_to_all(r.stream, r.data.first(many / 2), r.data.last(many / 2)); }},
    {"gather", [](const Member& r) { r.communicator.gather(r.stream, r.data.first(part), r.data.last(r.parts()), r.victim()); }},
    {"scatter",
     [](const Member& r) { r.communicator.scatter(r.stream, r.data.first(r.parts()), r.data.last(part), r.victim()); }},
    {"send",
     [](const Member& r) {
         r.exchange([&](int peer) { r.communicator.receive(r.stream, r.data.first(part), peer); },
                    [&] { r.communicator.send(r.stream, r.data.first(part), r.victim()); });
     }},
    {"receive",
     [](const Member& r) {
         r.exchange([&](int peer) { r.communicator.send(r.stream, r.data.first(part), peer); },
                    [&] { r.communicator.receive(r.stream, r.data.first(part), r.victim()); });
     }},
};

constexpr auto timeout = 3s;

// Waits for an operation that cannot end, and creates a new communicator afterwards. Returns the exit status.
int fail_and_go_on(nccl::Communicator& communicator, Stream& stream, TypedBuffer<float>& data,
                   const std::function<void()>& operation) {
    const Device device = communicator.device();
    const auto begin = std::chrono::steady_clock::now();
    try {
        operation();
        communicator.wait(stream, timeout);
        return 2;  // nothing was thrown
    } catch (const nccl::CommunicationError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    communicator = nccl::Communicator();  // ends it, if the call failed and not the wait
    if (std::chrono::steady_clock::now() - begin > timeout + 5s) return 3;
    nccl::Communicator alone = nccl::Communicator::init(device, 1, 0, nccl::UniqueId::create());
    data.fill(stream, 5.0f);
    alone.all_reduce(stream, data);
    alone.wait(stream, 30s);
    return data.get(stream, data.count() - 1) == 5.0f ? 0 : 4;
}

// Runs one operation in which all ranks take part, and one in which the last rank ends: before its call, or while its GPU waits
// for the others.
int survive(const std::string& name, bool ends_within) {
    nccl::Communicator communicator = nccl::Communicator::from_environment();
    Stream stream(communicator.device());
    auto data = communicator.device().allocate<float>(stream, many);
    data.fill(stream, 1.0f);
    const Named* const found =
        std::find_if(std::begin(operations), std::end(operations), [&](const Named& each) { return each.name == name; });
    const Member self{communicator, stream, data};
    found->call(self);
    communicator.wait(stream, 30s);
    if (self.is_victim()) {
        if (ends_within) {
            found->call(self);
            std::this_thread::sleep_for(500ms);
        }
        ::raise(SIGKILL);
    }
    if (ends_within) std::this_thread::sleep_for(1s);  // the last rank has ended
    return fail_and_go_on(communicator, stream, data, [&] { found->call(self); });
}

// Rank 0 reduces more bytes than the others, which NCCL does not find out.
int disagree(bool on_type) {
    nccl::Communicator communicator = nccl::Communicator::from_environment();
    Stream stream(communicator.device());
    auto data = communicator.device().allocate<float>(stream, many);
    data.fill(stream, 1.0f);
    communicator.all_reduce(stream, data.first(16));
    communicator.wait(stream, 30s);
    if (communicator.rank() == 0)
        return fail_and_go_on(communicator, stream, data, [&] { communicator.all_reduce(stream, data); });
    try {
        const std::span<signed char> bytes(reinterpret_cast<signed char*>(data.native_handle()), many);
        on_type ? communicator.all_reduce(stream, bytes) : communicator.all_reduce(stream, data.first(16));
        communicator.wait(stream, timeout);  // may end with a wrong result, or not
    } catch (const nccl::CommunicationError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    if (!communicator.is_closed()) communicator.abort();
    return 0;
}

// Writes to the window of the other rank.
int put() {
    nccl::Communicator communicator = nccl::Communicator::from_environment();
    Stream stream(communicator.device());
    const int peer = 1 - communicator.rank();
    auto own = nccl::NcclMemoryResource(communicator.device()).allocate<float>(stream, element_count);
    auto source = nccl::NcclMemoryResource(communicator.device()).allocate<float>(stream, element_count / 2);
    own.fill(stream, 0.0f);
    source.fill(stream, static_cast<float>(communicator.rank() + 1));
    stream.synchronize();
    nccl::Window window(communicator, own, nccl::NCCL_WIN_COLL_SYMMETRIC);
    nccl::Window source_window(communicator, source, nccl::NCCL_WIN_COLL_SYMMETRIC);
    try {
        communicator.put_signal(stream, source, peer, window, element_count / 2 * sizeof(float));
        communicator.wait_signal(stream, {.peer = peer});
    } catch (const nccl::CommunicationError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        const bool is_old = version(nccl::library()) < 2'029'000;
        return is_old && std::string_view(error.what()).find("2.29.7") != std::string_view::npos ? 0 : 2;
    }
    communicator.wait(stream, 30s);
    const bool right = own.get(stream, 0) == 0.0f && own.get(stream, element_count / 2) == static_cast<float>(peer + 1) &&
                       own.get(stream, element_count - 1) == static_cast<float>(peer + 1);
    return right ? 0 : 3;
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
        if (role == "disagree on the count" || role == "disagree on the type") return disagree(role.ends_with("type"));
        if (role == "put") return put();
        const std::string_view within = " within";
        const bool ends_within = role.ends_with(within);
        return survive(role.substr(0, role.size() - (ends_within ? within.size() : 0)), ends_within);
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
    /// Starts processes with the role, and returns their results of waitpid().
    static std::vector<int> run(const std::string& role, int ranks = 2) {
        const std::string point =
            "CUBIND_MEETING_POINT=file:" + ::testing::TempDir() + "/nccl-meeting-" + std::to_string(::getpid());
        std::vector<pid_t> started;
        for (int rank = 0; rank < ranks; ++rank) {
            std::vector<std::string> variables = {std::string(role_variable) + "=" + role, point,
                                                  "CUBIND_SIZE=" + std::to_string(ranks), "CUBIND_RANK=" + std::to_string(rank),
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
    /// Ends the last rank 20 times: in each operation, before its call and within it.
    static void survive_with(int ranks) {
        std::vector<int> expected(static_cast<std::size_t>(ranks), 0);
        expected.back() = SIGKILL;
        int rounds = 0;
        for (const Named& each : operations) {
            for (const char* const when : {"", " within"}) {
                SCOPED_TRACE(std::string(each.name) + when);
                EXPECT_EQ(run(std::string(each.name) + when, ranks), expected);
                ++rounds;
            }
        }
        EXPECT_EQ(rounds, 20);
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
    survive_with(2);
}

TEST_F(NcclProcessesGpuTest, SurviveTheEndOfOneOfFourInEachOperation) {
    if (Device::count() < 4) GTEST_SKIP() << "there are fewer than four GPUs";
    survive_with(4);
}

TEST_F(NcclProcessesGpuTest, EndIfTheyDisagree) {
    EXPECT_EQ(run("disagree on the count"), (std::vector<int>{0, 0}));
    EXPECT_EQ(run("disagree on the type"), (std::vector<int>{0, 0}));
}

TEST_F(NcclProcessesGpuTest, WriteToTheWindowOfAnother) {
    EXPECT_EQ(run("put"), (std::vector<int>{0, 0}));
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
