// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "nvshmem_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SessionTest : public NvshmemTest {};

TEST_F(SessionTest, BeginsAndEnds) {
    {
        nvshmem::Session session = begin();
        EXPECT_EQ(session.my_pe(), 2);
        EXPECT_EQ(session.n_pes(), 4);
        EXPECT_EQ(session.device(), Device(2));
        EXPECT_EQ(session.world().native_handle(), nvshmem::NVSHMEM_TEAM_WORLD);
        EXPECT_EQ(stand_in().flags, nvshmem::NVSHMEMX_INIT_WITH_UNIQUEID);
        EXPECT_EQ(stand_in().id.internal[123], 124);
        nvshmem::Session moved = std::move(session);
        EXPECT_TRUE(session.is_closed());  // NOLINT(bugprone-use-after-move)
        EXPECT_THROW(static_cast<void>(session.my_pe()), std::invalid_argument);
        session = std::move(moved);
        session.close();
        EXPECT_TRUE(session.is_closed());
        session.close();
    }
    EXPECT_EQ(stand_in().count("nvshmemx_hostlib_finalize"), 1);
    static_cast<void>(begin());  // another one after the first
    EXPECT_EQ(stand_in().count("nvshmemx_hostlib_finalize"), 2);
}

TEST_F(SessionTest, BeginsOnItsDeviceAndKeepsTheCurrentOne) {
    Device(1).set_current();
    const ContextRef before = ContextRef::current();
    const nvshmem::Session session = begin();
    EXPECT_EQ(ContextRef::current(), before);
    EXPECT_EQ(PointerAttributes::of(stand_in().memory).device, Device(2));
    const nvshmem::SymmetricMemoryResource memory(session);
    EXPECT_EQ(memory.device(), Device(2));
    EXPECT_EQ(ContextRef::current(), before);
}

TEST_F(SessionTest, GivesTheAttributesTheVersionOfTheLibrary) {
    static_cast<void>(begin());
    EXPECT_EQ(stand_in().attributes.version, (2 << 16) + 144);
    EXPECT_EQ(stand_in().attributes.args.version, (2 << 16) + 128);
    EXPECT_EQ(stand_in().attributes.args.cuda_device_id, -1);
    stand_in().version[1] = 4;
    stand_in().version[2] = 5;
    static_cast<void>(begin());
    EXPECT_EQ(stand_in().attributes.version, (1 << 16) + 144);
    EXPECT_EQ(stand_in().attributes.args.version, (1 << 16) + 128);
    EXPECT_EQ(stand_in().attributes.args.uid_args.version, (1 << 16) + 24);
    EXPECT_EQ(stand_in().attributes.args.cuda_device_id, 0);
}

TEST_F(SessionTest, RefusesOtherReleases) {
    for (const auto& [major, minor] : {std::pair(3, 3), std::pair(2, 11), std::pair(4, 0)}) {
        stand_in().version[0] = major;
        stand_in().version[1] = minor;
        EXPECT_THAT(
            message_of<nvshmem::CommunicationError>([] { static_cast<void>(begin()); }),
            AllOf(HasSubstr(std::to_string(major) + "." + std::to_string(minor)), HasSubstr("3.4"), HasSubstr("init of PE 2")));
    }
    EXPECT_EQ(stand_in().count("nvshmemx_hostlib_init_attr"), 0);
}

TEST_F(SessionTest, UsesACommunicatorOfMpi) {
    int communicator = 0;
    const auto session = nvshmem::Session::from_mpi(Device(0), &communicator);
    EXPECT_EQ(stand_in().flags, nvshmem::NVSHMEMX_INIT_WITH_MPI_COMM);
    EXPECT_EQ(stand_in().attributes.mpi_comm, &communicator);
    EXPECT_EQ(session.my_pe(), 1);
    EXPECT_EQ(session.n_pes(), 2);
    EXPECT_THROW(static_cast<void>(nvshmem::Session::from_mpi(Device(0), nullptr)), std::invalid_argument);
}

TEST_F(SessionTest, ExistsOnceInAProcess) {
    const nvshmem::Session session = begin();
    EXPECT_THAT(message_of<std::invalid_argument>([] { static_cast<void>(begin()); }), HasSubstr("one in a process"));
    EXPECT_EQ(stand_in().count("nvshmemx_hostlib_init_attr"), 1);
}

TEST_F(SessionTest, RefusesWhatOtherCodeHasInitialized) {
    stand_in().init_status = nvshmem::NVSHMEM_STATUS_IS_INITIALIZED;
    EXPECT_THAT(message_of<std::invalid_argument>([] { static_cast<void>(begin()); }), HasSubstr("other code"));
    stand_in().init_status = nvshmem::NVSHMEM_STATUS_NOT_INITIALIZED;
    static_cast<void>(begin());
}

TEST_F(SessionTest, RejectsWrongNumbers) {
    for (const auto& [n_pes, pe] : {std::pair(0, 0), std::pair(2, 2), std::pair(2, -1)}) {
        EXPECT_THROW(static_cast<void>(begin(n_pes, pe)), std::invalid_argument) << n_pes << " " << pe;
    }
    EXPECT_TRUE(stand_in().log.empty());
}

TEST_F(SessionTest, ReportsAFailedBeginning) {
    stand_in().status = nvshmem::NVSHMEMX_ERROR_INTERNAL;
    try {
        static_cast<void>(begin());
        ADD_FAILURE();
    } catch (const CommunicationError& error) {  // as that of NCCL
        EXPECT_EQ(error.operation(), "init");
        EXPECT_EQ(error.rank(), 2);
        EXPECT_EQ(error.function(), "nvshmemx_hostlib_init_attr");
        EXPECT_EQ(error.code(), nvshmem::NVSHMEMX_ERROR_INTERNAL);
        EXPECT_THAT(error.what(),
                    AllOf(HasSubstr("NVSHMEMX_ERROR_INTERNAL"), HasSubstr("NVSHMEM_DEBUG=WARN"), HasSubstr("PE 2")));
    }
    stand_in().status = nvshmem::NVSHMEMX_SUCCESS;
    static_cast<void>(begin());  // the process may try again
}

TEST_F(SessionTest, EndsAfterItsObjects) {
    nvshmem::Session session = begin();
    Stream stream(Device(2));
    auto buffer = nvshmem::SymmetricMemoryResource(session).allocate<float>(stream, 1000);
    nvshmem::Team even = session.world().split_strided(0, 2, 2);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { session.close(); }),
                AllOf(HasSubstr("1 buffers (4000 bytes)"), HasSubstr("1 teams"), HasSubstr("0 registrations")));
    session = nvshmem::Session();
    EXPECT_EQ(stand_in().count("nvshmemx_hostlib_finalize"), 0);
    even.close();
    buffer.close();
    EXPECT_THAT(std::vector<std::string>(stand_in().log.end() - 3, stand_in().log.end()),
                ElementsAre("nvshmem_team_destroy", "nvshmem_free", "nvshmemx_hostlib_finalize"));
}

TEST_F(SessionTest, RejectsUsesAfterClose) {
    nvshmem::Session session = begin();
    Stream stream(Device(2));
    const nvshmem::SymmetricMemoryResource memory(session);
    const nvshmem::Team shared = session.shared();
    session.close();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { static_cast<void>(memory.allocate(stream, 16)); }), HasSubstr("closed"));
    EXPECT_THROW(shared.barrier(stream), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(session.world()), std::invalid_argument);
    EXPECT_THROW((void)nvshmem::SymmetricMemoryResource(session), std::invalid_argument);
    EXPECT_THROW(session.quiet(stream), std::invalid_argument);
}

// An exception of one PE: the others may never come, so nothing is called that waits for them.
TEST_F(SessionTest, WaitsForNoOtherWhileAnExceptionPasses) {
    ASSERT_EXIT(
        {
            try {
                const nvshmem::Session session = begin();
                Stream stream(Device(2));
                const auto buffer = nvshmem::SymmetricMemoryResource(session).allocate<float>(stream, 10);
                const nvshmem::Team even = session.world().split_strided(0, 2, 2);
                throw 1;
            } catch (int) {
            }
            const auto reports = taken_cleanup_messages();
            for (const std::string& each : reports) std::fprintf(stderr, "%s\n", each.c_str());
            const bool is_untouched = stand_in().count("nvshmem_free") == 0 && stand_in().count("nvshmem_team_destroy") == 0 &&
                                      stand_in().count("nvshmemx_hostlib_finalize") == 0;
            EXPECT_THROW(static_cast<void>(begin()), std::invalid_argument);
            ::_exit(is_untouched && reports.size() == 3 && !HasFailure() ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "session of NVSHMEM: an exception passes");
}

TEST_F(SessionTest, ExplainsAMissingLibrary) {
    for (const char* each : {"nvshmemx_set_attr_uniqueid_args"}) stand_in().missing.insert(each);
    EXPECT_THAT(message_of<nvshmem::CommunicationError>([] { static_cast<void>(begin()); }),
                HasSubstr("nvshmemx_set_attr_uniqueid_args"));
    stand_in().missing.clear();
}

// Two processes that meet on the loopback address, each with a stand-in.
TEST_F(SessionTest, MeetsOtherProcesses) {
    const std::string point = "file:" + ::testing::TempDir() + "/nvshmem-meeting-" + std::to_string(::getpid());
    pid_t started[2];
    for (int rank = 0; rank < 2; ++rank) {
        started[rank] = ::fork();
        if (started[rank] != 0) continue;
        bool right = false;
        try {
            ::setenv("CUBIND_RANK", std::to_string(rank).c_str(), 1);
            ::setenv("CUBIND_LOCAL_RANK", std::to_string(rank).c_str(), 1);
            ::setenv("CUBIND_SIZE", "2", 1);
            ::setenv("CUBIND_MEETING_POINT", point.c_str(), 1);
            const auto session = nvshmem::Session::from_environment();
            right = session.my_pe() == rank && session.n_pes() == 2 && session.device() == Device(rank) &&
                    stand_in().id.internal[0] == 1 && stand_in().id.internal[123] == 124 &&
                    stand_in().id.version == nvshmem::nvshmemx_uniqueid_t().version;
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
        }
        ::_exit(right ? 0 : 1);
    }
    for (const pid_t each : started) {
        int status = -1;
        ::waitpid(each, &status, 0);
        EXPECT_EQ(status, 0);
    }
}

}  // namespace
}  // namespace cubind::testing
