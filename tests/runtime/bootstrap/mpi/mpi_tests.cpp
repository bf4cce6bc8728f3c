// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Processes that exchange by MPI, of which stand-ins have both binary interfaces.
#include <cubind/bootstrap.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include "../child.hpp"
#include "../new_id.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;
namespace fs = std::filesystem;

std::string exchanged(const Bootstrap& self, const std::string& device = "") {
    return self.exchange(new_id, device) == new_id() ? "accepted" : "another id";
}

/// The parameter says whether the library and the launcher are of Open MPI, or else of MPICH.
class MpiBootstrapTest : public ::testing::TestWithParam<bool> {
protected:
    MpiBootstrapTest() : folder_(::testing::TempDir() + "/mpi-" + std::to_string(::getpid())) { fs::create_directory(folder_); }
    ~MpiBootstrapTest() override { fs::remove_all(folder_); }

    static std::string library(bool is_open_mpi) {
        return is_open_mpi ? CUBIND_TEST_OPEN_MPI_LIBRARY : CUBIND_TEST_MPICH_LIBRARY;
    }
    /// Sets the variables of a launcher.
    void launch(int rank, int size) const {
        const std::string prefix = GetParam() ? "OMPI_COMM_WORLD_" : "PMI_";
        ::setenv((prefix + "RANK").c_str(), std::to_string(rank).c_str(), 1);
        ::setenv((prefix + "SIZE").c_str(), std::to_string(size).c_str(), 1);
        ::setenv(GetParam() ? "OMPI_COMM_WORLD_LOCAL_RANK" : "MPI_LOCALRANKID", std::to_string(rank % 2).c_str(), 1);
        ::setenv("CUBIND_TEST_MPI_FOLDER", folder_.c_str(), 1);
        ::setenv("CUBIND_MPI_LIBRARY", library(GetParam()).c_str(), 1);
    }
    /// Runs `body(rank)` in processes, and returns what they return.
    std::vector<std::string> run(int size, const std::function<std::string(int)>& body, int exit_status = 0) {
        std::vector<std::unique_ptr<Child>> processes;
        for (int rank = 0; rank < size; ++rank) {
            const auto launched = [&, rank] {
                launch(rank, size);
                return body(rank);
            };
            processes.push_back(std::make_unique<Child>(launched, exit_status));
        }
        std::vector<std::string> outcomes;
        for (const auto& each : processes) outcomes.push_back(each->outcome());
        return outcomes;
    }
    std::vector<std::string> finalized() const {
        std::vector<std::string> names;
        for (const auto& each : fs::directory_iterator(folder_)) {
            const std::string name = each.path().filename();
            if (name.starts_with("finalized")) names.push_back(name);
        }
        return names;
    }

    fs::path folder_;
};
INSTANTIATE_TEST_SUITE_P(OpenMpi, MpiBootstrapTest, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Mpich, MpiBootstrapTest, ::testing::Values(false));

TEST_P(MpiBootstrapTest, GivesAllRanksTheIdAndFinalizesMpi) {
    const auto outcomes = run(3, [](int rank) -> std::string {
        const Bootstrap self = Bootstrap::from_mpi();
        if (self.rank() != rank || self.size() != 3 || self.local_rank() != rank % 2) return "another place";
        if (self.meeting_point() != "mpi") return "another meeting point";
        for (int i = 0; i < 5; ++i) {
            if (exchanged(self, "device " + std::to_string(rank)) != "accepted") return "another id";
        }
        const Bootstrap again = Bootstrap::from_mpi();
        return exchanged(again);
    });
    EXPECT_THAT(outcomes, Each("accepted"));
    EXPECT_THAT(finalized(), UnorderedElementsAre("finalized0", "finalized1", "finalized2"));
}

TEST_P(MpiBootstrapTest, DoesNotWaitForTheOthersAtTheEndOfAProcessThatFails) {
    const auto outcomes = run(
        1, [](int) { return exchanged(Bootstrap::from_mpi()); }, 1);
    EXPECT_THAT(outcomes, Each("accepted"));
    EXPECT_THAT(finalized(), ElementsAre());
}

TEST_P(MpiBootstrapTest, TellsAllRanksThatTwoUseOneDevice) {
    const auto outcomes = run(3, [](int rank) { return exchanged(Bootstrap::from_mpi(), rank == 0 ? "GPU-a" : "GPU-b"); });
    EXPECT_THAT(outcomes, Each(AllOf(StartsWith("rejected"), HasSubstr("GPU-b"), HasSubstr("one rank a GPU"))));
}

TEST_P(MpiBootstrapTest, TellsAllRanksThatRank0HasFailed) {
    const auto outcomes = run(2, [](int) -> std::string {
        static_cast<void>(Bootstrap::from_mpi().exchange([]() -> Bootstrap::Id { throw std::runtime_error("no such library"); }));
        return "accepted";
    });
    EXPECT_THAT(outcomes, ElementsAre("failed: no such library",
                                      AllOf(StartsWith("failed"), HasSubstr("rank 0 has failed: no such library"))));
}

TEST_P(MpiBootstrapTest, IsUsedIfMpirunHasStartedTheProcesses) {
    EXPECT_THAT(run(2, [](int) { return exchanged(Bootstrap::from_environment()); }), Each("accepted"));
    const auto point = [](const char* named) {
        return [named](int) {
            ::setenv("CUBIND_MEETING_POINT", named, 1);
            return Bootstrap::from_environment().meeting_point();
        };
    };
    EXPECT_THAT(run(2, point("mpi")), Each("mpi"));
    EXPECT_THAT(run(2, point("node:29400")), Each("node:29400"));
    // Without a library, mpirun's processes need another meeting point.
    const auto without = run(1, [this](int) {
        launch(0, 2);
        ::setenv("CUBIND_MPI_LIBRARY", "/missing/libmpi.so.40", 1);
        return Bootstrap::from_environment().meeting_point();
    });
    EXPECT_THAT(without, Each(AllOf(StartsWith("rejected"), HasSubstr("2 ranks"), HasSubstr("CUBIND_MEETING_POINT"))));
}

TEST_P(MpiBootstrapTest, LeavesMpiToAProgramThatUsesIt) {
    const auto outcomes = run(2, [](int) -> std::string {
        void* const mpi = ::dlopen(library(GetParam()).c_str(), RTLD_NOW | RTLD_LOCAL);
        ::unsetenv("CUBIND_MPI_LIBRARY");  // the loaded library is found
        const auto call = [mpi](const char* name) {
            return reinterpret_cast<int (*)(void*, void*)>(::dlsym(mpi, name))(nullptr, nullptr);
        };
        if (call("MPI_Init") != 0 || exchanged(Bootstrap::from_mpi()) != "accepted") return "not accepted";
        if (call("MPI_Finalize") != 0) return "was finalized";
        return exchanged(Bootstrap::from_mpi());
    });
    EXPECT_THAT(outcomes, Each(AllOf(StartsWith("rejected"), HasSubstr("has finalized MPI"))));
}

TEST_P(MpiBootstrapTest, RejectsALibraryOfAnotherMpiThanTheLauncher) {
    const auto outcomes = run(2, [](int) {
        ::setenv("CUBIND_MPI_LIBRARY", library(!GetParam()).c_str(), 1);
        return Bootstrap::from_mpi().meeting_point();
    });
    EXPECT_THAT(outcomes,
                Each(AllOf(StartsWith("rejected"), HasSubstr(library(!GetParam())), HasSubstr("1 process"),
                           HasSubstr(GetParam() ? "OMPI_COMM_WORLD_SIZE=2" : "PMI_SIZE=2"), HasSubstr("CUBIND_MPI_LIBRARY"))));
}

TEST_P(MpiBootstrapTest, SaysWhereItHasSearched) {
    const auto outcomes = run(1, [](int) {
        ::setenv("CUBIND_MPI_LIBRARY", "/missing/libmpi.so.40", 1);
        return Bootstrap::from_mpi().meeting_point();
    });
    EXPECT_THAT(outcomes, Each(AllOf(StartsWith("rejected"), HasSubstr("no library of MPI"),
                                     HasSubstr("/missing/libmpi.so.40: no such file"))));
}

}  // namespace
}  // namespace cubind::testing
