// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "nccl_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CommunicatorTest : public NcclTest {};

TEST_F(CommunicatorTest, CreatesTheRanksOfAProcess) {
    const std::vector<Device> devices = {Device(3), Device(1)};
    const std::vector<nccl::Communicator> all = nccl::Communicator::init_all(devices);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].rank(), 0);
    EXPECT_EQ(all[1].rank(), 1);
    EXPECT_EQ(all[1].size(), 2);
    EXPECT_EQ(all[0].device(), Device(3));
    EXPECT_EQ(all[1].device(), Device(1));
    EXPECT_NE(all[0].native_handle(), all[1].native_handle());
}

TEST_F(CommunicatorTest, RejectsTwoRanksOfOneDevice) {
    const std::vector<Device> devices = {Device(1), Device(1)};
    EXPECT_THAT(message_of<std::invalid_argument>([&] { static_cast<void>(nccl::Communicator::init_all(devices)); }),
                AllOf(HasSubstr("device 1"), HasSubstr("one rank a GPU")));
    EXPECT_THROW(static_cast<void>(nccl::Communicator::init_all({})), std::invalid_argument);
    EXPECT_TRUE(stand_in().log.empty());
}

TEST_F(CommunicatorTest, CreatesARankWithTheIdAndTheContext) {
    const ContextRef before = ContextRef::current();
    const nccl::Communicator made = communicator();
    EXPECT_EQ(stand_in().count("ncclCommInitRankConfig 1"), 1);
    EXPECT_EQ(ContextRef::current(), before);
    EXPECT_EQ(made.rank(), 2);
    EXPECT_EQ(made.size(), 4);
    EXPECT_EQ(made.device(), Device(2));
    const auto init = [](int size, int rank) {
        static_cast<void>(nccl::Communicator::init(Device(0), size, rank, nccl::UniqueId::create()));
    };
    EXPECT_THAT(message_of<std::invalid_argument>([&] { init(2, 2); }), AllOf(HasSubstr("rank is 2"), HasSubstr("0 to 1")));
    EXPECT_THROW(init(2, -1), std::invalid_argument);
    EXPECT_THROW(init(0, 0), std::invalid_argument);
}

TEST_F(CommunicatorTest, CreatesARankWithSeveralIds) {
    const std::vector<nccl::UniqueId> ids(3, nccl::UniqueId::create());
    const nccl::Communicator made = nccl::Communicator::init(Device(1), 8, 5, ids);
    EXPECT_EQ(stand_in().count("ncclCommInitRankScalable 1"), 1);
    EXPECT_EQ(made.rank(), 5);
    EXPECT_THROW(static_cast<void>(nccl::Communicator::init(Device(1), 8, 5, std::vector<nccl::UniqueId>())),
                 std::invalid_argument);
    EXPECT_THROW(static_cast<void>(nccl::Communicator::init(Device(1), 8, 8, ids)), std::invalid_argument);
}

TEST_F(CommunicatorTest, StatesWhatNcclKnows) {
    nccl::Communicator made = communicator();
    EXPECT_EQ(made.status(), nccl::ncclSuccess);
    stand_in().asynchronous = nccl::ncclInProgress;
    EXPECT_EQ(made.status(), nccl::ncclInProgress);
    stand_in().asynchronous = nccl::ncclSuccess;
    EXPECT_EQ(made.last_error(), "the text of the stand-in");
    EXPECT_EQ(made.memory_stat(nccl::ncclStatGpuMemTotal), 1003u);
    made.close();
    EXPECT_THROW(static_cast<void>(made.status()), std::invalid_argument);
}

TEST_F(CommunicatorTest, PassesTheSettingsThatAreSet) {
    const nccl::Communicator made = communicator({.blocking = false,
                                                  .cga_cluster_size = 4,
                                                  .min_ctas = 1,
                                                  .max_ctas = 8,
                                                  .net_name = "IB",
                                                  .split_share = 1,
                                                  .traffic_class = 9,
                                                  .comm_name = "training",
                                                  .cta_policy = 2,
                                                  .launch_order_implicit = 1,
                                                  .num_rma_sig = 16,
                                                  .rma_eager_init = 1,
                                                  .host_cft_mode = nccl::ncclHostCftDisable,
                                                  .nvls_host_mode = nccl::ncclNvlsHostModeDisable});
    const nccl::ncclConfig_t& config = stand_in().config;
    EXPECT_EQ(config.blocking, 0);
    EXPECT_EQ(config.cgaClusterSize, 4);
    EXPECT_EQ(config.minCTAs, 1);
    EXPECT_EQ(config.maxCTAs, 8);
    EXPECT_EQ(config.splitShare, 1);
    EXPECT_EQ(config.trafficClass, 9);
    EXPECT_EQ(config.CTAPolicy, 2);
    EXPECT_EQ(config.launchOrderImplicit, 1);
    EXPECT_EQ(config.numRmaSig, 16);
    EXPECT_EQ(config.rmaEagerInit, 1);
    EXPECT_EQ(config.hostCftMode, nccl::ncclHostCftDisable);
    EXPECT_EQ(config.nvlsHostMode, nccl::ncclNvlsHostModeDisable);
    EXPECT_NE(config.netName, nullptr);
    EXPECT_NE(config.commName, nullptr);
    const nccl::ncclConfig_t unset;
    EXPECT_EQ(config.nvlsCTAs, unset.nvlsCTAs);
    EXPECT_EQ(config.magic, unset.magic);
    EXPECT_THROW(static_cast<void>(communicator({.comm_name = std::string("a\0b", 3)})), std::invalid_argument);
}

TEST_F(CommunicatorTest, MovesAndReleases) {
    nccl::Communicator first = communicator();
    nccl::Communicator second = std::move(first);
    EXPECT_TRUE(first.is_closed());  // NOLINT(bugprone-use-after-move)
    EXPECT_THAT(message_of<std::invalid_argument>([&] { static_cast<void>(first.rank()); }), HasSubstr("create a new one"));
    first = communicator();
    first = std::move(second);
    EXPECT_EQ(stand_in().count("ncclCommDestroy"), 1);
    nccl::Communicator owner = nccl::Communicator::from_native_handle(first.release());
    EXPECT_TRUE(first.is_closed());
    EXPECT_EQ(first.release(), nullptr);
    EXPECT_EQ(owner.rank(), 2);
    EXPECT_EQ(owner.size(), 4);
    EXPECT_EQ(owner.device(), Device(0));
    EXPECT_THROW(static_cast<void>(nccl::Communicator::from_native_handle(nullptr)), std::invalid_argument);
    owner.close();
    owner.close();
    owner.abort();
    EXPECT_EQ(stand_in().count("ncclCommDestroy"), 2);
    EXPECT_THROW(owner.finalize(), std::invalid_argument);
}

TEST_F(CommunicatorTest, SplitsShrinksAndGrows) {
    nccl::Communicator parent = communicator();
    const nccl::Communicator part = parent.split(1, 5);
    EXPECT_EQ(part.rank(), 5);
    EXPECT_EQ(part.size(), 7);
    EXPECT_EQ(part.device(), Device(2));
    EXPECT_TRUE(parent.split(std::nullopt).is_closed());
    EXPECT_THROW(static_cast<void>(parent.split(-1)), std::invalid_argument);

    const std::vector<int> lost = {1};
    EXPECT_EQ(parent.shrink(lost, nccl::Communicator::Shrink::aborting_operations).size(), 3);
    EXPECT_EQ(stand_in().count("ncclCommShrink 1 1"), 1);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { static_cast<void>(parent.shrink(std::vector<int>{2})); }),
                HasSubstr("own one"));
    EXPECT_THROW(static_cast<void>(parent.shrink(std::vector<int>{4})), std::invalid_argument);

    const nccl::UniqueId id = parent.grow_id();
    EXPECT_EQ(parent.grow(5).size(), 5);
    EXPECT_EQ(stand_in().count("ncclCommGrow 0 -1"), 1);
    EXPECT_EQ(parent.grow(5, id).rank(), 2);
    EXPECT_EQ(stand_in().count("ncclCommGrow 42 -1"), 1);
    EXPECT_EQ(nccl::Communicator::join(Device(3), 5, 4, id).rank(), 4);
    EXPECT_EQ(stand_in().count("ncclCommGrow 42 4"), 1);
    EXPECT_THROW(static_cast<void>(parent.grow(4)), std::invalid_argument);
}

TEST_F(CommunicatorTest, CallsTheFunctionsOfTheEnd) {
    nccl::Communicator made = communicator();
    made.suspend();
    made.resume();
    made.revoke();
    made.finalize();
    made.abort();
    EXPECT_EQ(stand_in().count("ncclCommSuspend"), 1);
    EXPECT_EQ(stand_in().count("ncclCommResume"), 1);
    EXPECT_EQ(stand_in().count("ncclCommRevoke"), 1);
    EXPECT_EQ(stand_in().count("ncclCommFinalize"), 1);
    EXPECT_EQ(stand_in().count("ncclCommAbort"), 1);
    EXPECT_TRUE(made.is_closed());
}

TEST_F(CommunicatorTest, AbortsWhileAnExceptionPasses) {
    try {
        const nccl::Communicator made = communicator();
        throw std::runtime_error("");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(stand_in().count("ncclCommAbort"), 1);
    stand_in().asynchronous = nccl::ncclRemoteError;
    { const nccl::Communicator made = communicator(); }
    EXPECT_EQ(stand_in().count("ncclCommAbort"), 2);
}

TEST_F(CommunicatorTest, IsCreatedFromABootstrapOfOneRank) {
    const nccl::Communicator made = nccl::Communicator::init(Bootstrap(0, 1, 3, ""));
    EXPECT_EQ(made.device(), Device(3));
    EXPECT_EQ(made.size(), 1);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { static_cast<void>(Bootstrap(0, 8, 4, "localhost:1").device()); }),
                AllOf(HasSubstr("local rank 4"), HasSubstr("one rank a GPU"), HasSubstr("at most 4")));
}

}  // namespace
}  // namespace cubind::testing
