// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// NVSHMEM itself, on two GPUs in two processes, which this program starts with the name of a check.
#include <cubind/core.hpp>
#include <cubind/library.hpp>
#include <cubind/nvshmem/loading.hpp>
#include <cubind/nvshmem_core.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <signal.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "nvshmem_checks.hpp"

extern char** environ;

namespace cubind::testing {
namespace {

constexpr const char* check_variable = "CUBIND_NVSHMEM_TEST_CHECK";

int run_check(const std::string& name) {
    ::alarm(60);  // ends a process that waits for the other one forever
    try {
        for (const NvshmemCheck& each : nvshmem_checks()) {
            if (each.name == name) {
                each.run();
                return 0;
            }
        }
        std::fprintf(stderr, "there is no check %s\n", name.c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    }
    return 1;
}

/// Returns why NVSHMEM cannot be tested here, or an empty text.
std::string problem() {
    if (library_path(nvshmem::library()) == nullptr) return "NVSHMEM was not found";
    try {
        return Device::count() < 2 ? "there are fewer than two GPUs" : "";
    } catch (const Error&) {
        return "there is no driver";
    }
}

class NvshmemGpuTest : public ::testing::TestWithParam<NvshmemCheck> {};

TEST_P(NvshmemGpuTest, OnTwoGpus) {
    if (const std::string why = problem(); !why.empty()) GTEST_SKIP() << why;
    const std::string point =
        "CUBIND_MEETING_POINT=file:" + ::testing::TempDir() + "/nvshmem-meeting-" + std::to_string(::getpid());
    std::vector<pid_t> started;
    for (int pe = 0; pe < 2; ++pe) {
        std::vector<std::string> variables = {std::string(check_variable) + "=" + GetParam().name, point, "CUBIND_SIZE=2",
                                              "CUBIND_RANK=" + std::to_string(pe), "CUBIND_LOCAL_RANK=" + std::to_string(pe)};
        for (const char* each : GetParam().variables) variables.emplace_back(each);
        for (char** each = environ; *each != nullptr; ++each) variables.emplace_back(*each);
        std::vector<char*> environment;
        for (std::string& each : variables) environment.push_back(each.data());
        environment.push_back(nullptr);
        std::string program = "/proc/self/exe";
        char* arguments[] = {program.data(), nullptr};
        pid_t id = -1;
        ASSERT_EQ(::posix_spawn(&id, program.c_str(), nullptr, nullptr, arguments, environment.data()), 0);
        started.push_back(id);
    }
    // A process that has failed leaves the other one waiting.
    while (!started.empty()) {
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, 0);
        EXPECT_EQ(status, 0);
        std::erase(started, ended);
        if (status == 0) continue;
        for (const pid_t each : started) ::kill(each, SIGKILL);
    }
}

INSTANTIATE_TEST_SUITE_P(All, NvshmemGpuTest, ::testing::ValuesIn(nvshmem_checks()),
                         [](const auto& check) { return std::string(check.param.name); });

}  // namespace
}  // namespace cubind::testing

int main(int count, char** arguments) {
    // Multicast of NVLink can disturb other users of the host. NVSHMEM may use NCCL for collectives.
    ::setenv("NVSHMEM_DISABLE_NVLS", "1", 0);
    ::setenv("NCCL_NVLS_ENABLE", "0", 0);
    ::setenv("NVSHMEM_REMOTE_TRANSPORT", "none", 0);  // all processes are on this host
    if (const char* const check = std::getenv(cubind::testing::check_variable); check != nullptr)
        return cubind::testing::run_check(check);
    ::testing::InitGoogleTest(&count, arguments);
    return RUN_ALL_TESTS();
}
