// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/bootstrap.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "new_id.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Tests with chosen variables of launchers.
class BootstrapEnvironmentTest : public ::testing::Test {
protected:
    BootstrapEnvironmentTest() { set({}); }

    static void set(const std::map<std::string, std::string>& variables) {
        for (const char* each : {"CUBIND_RANK", "CUBIND_SIZE", "CUBIND_LOCAL_RANK", "CUBIND_MEETING_POINT", "RANK", "WORLD_SIZE",
                                 "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_USE_AGENT_STORE",
                                 "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "PMI_RANK",
                                 "PMI_SIZE", "MPI_LOCALRANKID", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"}) {
            ::unsetenv(each);
        }
        for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    }
    static void expect(const std::map<std::string, std::string>& variables, int rank, int size, int local_rank,
                       const std::string& point) {
        set(variables);
        const Bootstrap found = Bootstrap::from_environment();
        EXPECT_EQ(found.rank(), rank);
        EXPECT_EQ(found.size(), size);
        EXPECT_EQ(found.local_rank(), local_rank);
        EXPECT_EQ(found.meeting_point(), point);
    }
    static std::string message(const std::map<std::string, std::string>& variables) {
        set(variables);
        try {
            static_cast<void>(Bootstrap::from_environment());
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "nothing was thrown";
    }
};

TEST_F(BootstrapEnvironmentTest, ReadsTheVariablesOfEachLauncher) {
    expect({}, 0, 1, 0, "");
    expect({{"CUBIND_RANK", "1"}, {"CUBIND_SIZE", "2"}, {"CUBIND_LOCAL_RANK", "1"}, {"CUBIND_MEETING_POINT", "file:/share/x"}}, 1,
           2, 1, "file:/share/x");
    expect({{"RANK", "3"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "node1"}, {"MASTER_PORT", "29500"}}, 3, 4, 1,
           "node1:29500");
    expect({{"OMPI_COMM_WORLD_RANK", "0"},
            {"OMPI_COMM_WORLD_SIZE", "2"},
            {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
            {"CUBIND_MEETING_POINT", "a:1"}},
           0, 2, 0, "a:1");
    expect({{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"MPI_LOCALRANKID", "0"}, {"CUBIND_MEETING_POINT", "a:1"}}, 2, 4, 0, "a:1");
    expect({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}, {"SLURM_LOCALID", "0"}, {"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}, 0, 1, 0,
           "");
}

TEST_F(BootstrapEnvironmentTest, AvoidsThePortOfTorchrun) {
    std::map<std::string, std::string> variables = {
        {"RANK", "0"},          {"WORLD_SIZE", "2"},      {"LOCAL_RANK", "0"},
        {"MASTER_ADDR", "::1"}, {"MASTER_PORT", "29500"}, {"TORCHELASTIC_USE_AGENT_STORE", "True"}};
    expect(variables, 0, 2, 0, "[::1]:29501");
    variables["MASTER_PORT"] = "65535";
    expect(variables, 0, 2, 0, "[::1]:65534");
    variables["CUBIND_MEETING_POINT"] = "b:7";
    expect(variables, 0, 2, 0, "b:7");
}

TEST_F(BootstrapEnvironmentTest, PrefersOwnVariables) {
    expect({{"CUBIND_RANK", "0"},
            {"CUBIND_SIZE", "1"},
            {"CUBIND_LOCAL_RANK", "0"},
            {"RANK", "5"},
            {"WORLD_SIZE", "8"},
            {"LOCAL_RANK", "5"}},
           0, 1, 0, "");
}

TEST_F(BootstrapEnvironmentTest, RejectsIncompleteAndWrongVariables) {
    EXPECT_THAT(message({{"RANK", "0"}, {"WORLD_SIZE", "2"}}), HasSubstr("lacks LOCAL_RANK"));
    EXPECT_THAT(message({{"WORLD_SIZE", "2"}}), HasSubstr("lacks RANK"));
    for (const char* wrong : {"", "x", "1x", "-1", "99999999999"}) {
        EXPECT_THAT(message({{"CUBIND_RANK", wrong}, {"CUBIND_SIZE", "2"}, {"CUBIND_LOCAL_RANK", "0"}}),
                    HasSubstr(std::string("CUBIND_RANK=") + wrong));
    }
    std::map<std::string, std::string> several = {{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}};
    EXPECT_THAT(message(several), AllOf(HasSubstr("2 ranks"), HasSubstr("CUBIND_MEETING_POINT")));
    several["RANK"] = "2";
    EXPECT_THAT(message(several), HasSubstr("rank 2 of 2"));
}

TEST_F(BootstrapEnvironmentTest, RejectsWrongMeetingPoints) {
    for (const char* wrong : {"host", "host:", ":1", "host:0", "host:65536", "host:1x", "file:", "[]:1"}) {
        EXPECT_THROW(Bootstrap(0, 2, 0, wrong), std::invalid_argument) << wrong;
    }
    EXPECT_THROW(Bootstrap(0, 2, 0, std::string("file:a\0b", 8)), std::invalid_argument);
    EXPECT_THROW(Bootstrap(0, 0, 0, ""), std::invalid_argument);
    EXPECT_THROW(Bootstrap(-1, 2, 0, "a:1"), std::invalid_argument);
    EXPECT_THROW(Bootstrap(0, 2, -1, "a:1"), std::invalid_argument);
    EXPECT_NO_THROW(Bootstrap(0, 2, 0, "[::1]:65535"));
}

TEST_F(BootstrapEnvironmentTest, CreatesTheIdOfASingleRank) {
    EXPECT_EQ(Bootstrap::from_environment().exchange(new_id), new_id());
}

}  // namespace
}  // namespace cubind::testing
