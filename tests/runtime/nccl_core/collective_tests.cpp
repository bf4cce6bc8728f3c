// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <functional>

#include "nccl_test.hpp"

namespace cubind::testing {

/// A type of two bytes of which a program says that it is a bfloat16.
struct Brain {
    unsigned short bits;
};

}  // namespace cubind::testing

template <>
struct cubind::nccl::DataType<cubind::testing::Brain> {
    static constexpr auto value = cubind::nccl::ncclBfloat16;
};

namespace cubind::testing {
namespace {

using nccl::Transferable;
using ::testing::AllOf;
using ::testing::HasSubstr;

static_assert(nccl::detail::data_type_of<float>() == nccl::ncclFloat32);
static_assert(nccl::detail::data_type_of<const double>() == nccl::ncclFloat64);
static_assert(nccl::detail::data_type_of<signed char>() == nccl::ncclInt8);
static_assert(nccl::detail::data_type_of<unsigned char>() == nccl::ncclUint8);
static_assert(nccl::detail::data_type_of<std::byte>() == nccl::ncclUint8);
static_assert(nccl::detail::data_type_of<int>() == nccl::ncclInt32);
static_assert(nccl::detail::data_type_of<unsigned>() == nccl::ncclUint32);
static_assert(nccl::detail::data_type_of<long long>() == nccl::ncclInt64);
static_assert(nccl::detail::data_type_of<unsigned long>() == nccl::ncclUint64);
static_assert(nccl::detail::data_type_of<Brain>() == nccl::ncclBfloat16);
static_assert(!Transferable<bool> && !Transferable<short> && !Transferable<long double> && !Transferable<void*>);

// Memory of the host, temporary buffers and constant destinations do not compile.
static_assert(nccl::detail::Source<TypedBuffer<float>&> && nccl::detail::Source<std::span<const float>>);
static_assert(nccl::detail::Source<const TypedBuffer<float>&> && !nccl::detail::Source<TypedBuffer<float>>);
static_assert(!nccl::detail::Source<std::vector<float>&> && !nccl::detail::Source<float&> && !nccl::detail::Source<Buffer&>);
static_assert(nccl::detail::Destination<std::span<float>> && !nccl::detail::Destination<std::span<const float>>);
static_assert(!nccl::detail::Destination<const TypedBuffer<float>&>);

class CollectiveTest : public NcclTest {
protected:
    template <class Element>
    static std::span<Element> at(std::uintptr_t address, std::size_t count) {
        return {reinterpret_cast<Element*>(address), count};
    }
    /// Checks the latest call.
    void expect_call(const char* function, std::uintptr_t source, std::uintptr_t destination, std::size_t count,
                     nccl::ncclDataType_t type, int operation, int peer) {
        EXPECT_EQ(latest().function, function);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(latest().source), source);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(latest().destination), destination);
        EXPECT_EQ(latest().count, count);
        EXPECT_EQ(latest().type, type);
        EXPECT_EQ(latest().operation, operation);
        EXPECT_EQ(latest().peer, peer);
        EXPECT_EQ(latest().communicator, communicator_.native_handle());
        EXPECT_EQ(latest().stream, stream_.native_handle());
    }

    nccl::Communicator communicator_ = communicator();
    Stream stream_{Device(2)};
};

TEST_F(CollectiveTest, PassesTheOperandsOfEachCollective) {
    communicator_.all_reduce(stream_, at<const float>(0x1000, 10), at<float>(0x2000, 10), nccl::max);
    expect_call("ncclAllReduce", 0x1000, 0x2000, 10, nccl::ncclFloat32, nccl::ncclMax, -1);
    communicator_.reduce(stream_, at<const int>(0x1000, 10), at<int>(0x2000, 10), 2, nccl::product);
    expect_call("ncclReduce", 0x1000, 0x2000, 10, nccl::ncclInt32, nccl::ncclProd, 2);
    communicator_.reduce(stream_, at<const int>(0x1000, 10), at<int>(0, 0), 3, nccl::min);
    expect_call("ncclReduce", 0x1000, 0, 10, nccl::ncclInt32, nccl::ncclMin, 3);
    communicator_.all_gather(stream_, at<const double>(0x1000, 5), at<double>(0x2000, 20));
    expect_call("ncclAllGather", 0x1000, 0x2000, 5, nccl::ncclFloat64, -1, -1);
    communicator_.reduce_scatter(stream_, at<const double>(0x1000, 20), at<double>(0x2000, 5), nccl::average);
    expect_call("ncclReduceScatter", 0x1000, 0x2000, 5, nccl::ncclFloat64, nccl::ncclAvg, -1);
    communicator_.all_to_all(stream_, at<const Brain>(0x1000, 20), at<Brain>(0x2000, 20));
    expect_call("ncclAlltoAll", 0x1000, 0x2000, 5, nccl::ncclBfloat16, -1, -1);
    communicator_.gather(stream_, at<const float>(0x1000, 5), at<float>(0x2000, 20), 2);
    expect_call("ncclGather", 0x1000, 0x2000, 5, nccl::ncclFloat32, -1, 2);
    communicator_.scatter(stream_, at<const float>(0, 0), at<float>(0x2000, 5), 0);
    expect_call("ncclScatter", 0, 0x2000, 5, nccl::ncclFloat32, -1, 0);
}

TEST_F(CollectiveTest, WorksInPlace) {
    const auto data = Device(2).allocate<float>(stream_, 20);
    auto buffer = Device(2).allocate<float>(stream_, 20);
    const std::uintptr_t address = buffer.native_handle();
    communicator_.all_reduce(stream_, data, buffer);  // a constant buffer is a source
    communicator_.all_reduce(stream_, buffer);
    expect_call("ncclAllReduce", address, address, 20, nccl::ncclFloat32, nccl::ncclSum, -1);
    communicator_.reduce(stream_, buffer, 0);
    expect_call("ncclReduce", address, address, 20, nccl::ncclFloat32, nccl::ncclSum, 0);
    communicator_.broadcast(stream_, buffer, 1);
    expect_call("ncclBroadcast", address, address, 20, nccl::ncclFloat32, -1, 1);
    communicator_.all_gather(stream_, buffer);
    expect_call("ncclAllGather", address + 10 * sizeof(float), address, 5, nccl::ncclFloat32, -1, -1);
    communicator_.reduce_scatter(stream_, buffer);
    expect_call("ncclReduceScatter", address, address + 10 * sizeof(float), 5, nccl::ncclFloat32, nccl::ncclSum, -1);
}

TEST_F(CollectiveTest, PassesTheSettingsOfEachCollective) {
    auto data = at<float>(0x1000, 16);
    auto part = at<float>(0x2000, 4);
    const std::vector<std::function<void(const nccl::CollectiveConfig&)>> calls = {
        [&](const auto& config) { communicator_.all_reduce(stream_, data, nccl::sum, config); },
        [&](const auto& config) { communicator_.reduce(stream_, data, 0, nccl::sum, config); },
        [&](const auto& config) { communicator_.broadcast(stream_, data, 0, config); },
        [&](const auto& config) { communicator_.all_gather(stream_, data, config); },
        [&](const auto& config) { communicator_.reduce_scatter(stream_, data, nccl::sum, config); },
        [&](const auto& config) { communicator_.all_to_all(stream_, data, at<float>(0x3000, 16), config); },
        [&](const auto& config) { communicator_.gather(stream_, part, data, 0, config); },
        [&](const auto& config) { communicator_.scatter(stream_, data, part, 0, config); }};
    int ctas = 0;
    for (const auto& call : calls) {
        call({});
        EXPECT_EQ(stand_in().collective.maxCTAs, ctas == 0 ? nccl::NCCL_CONFIG_UNDEF_INT : ctas);  // NCCL got no settings
        const NcclCall plain = latest();
        call({.max_ctas = ++ctas});
        EXPECT_EQ(stand_in().collective.maxCTAs, ctas);
        EXPECT_EQ(latest().function, plain.function);
        EXPECT_EQ(latest().source, plain.source);
        EXPECT_EQ(latest().destination, plain.destination);
        EXPECT_EQ(latest().count, plain.count);
        EXPECT_EQ(latest().peer, plain.peer);
    }
    const Event event(Device(2));
    calls[0]({.min_ctas = 1,
              .nvls_ctas = 2,
              .cga_cluster_size = 3,
              .alg_selection = "ring",
              .force_alg_selection = false,
              .cta_policy = nccl::NCCL_CTA_POLICY_ZERO,
              .user_profiler_tag = 7,
              .launch_completion_event = event});
    const nccl::ncclCollConfig_t& got = stand_in().collective;
    EXPECT_EQ(got.minCTAs, 1);
    EXPECT_EQ(got.maxCTAs, nccl::NCCL_CONFIG_UNDEF_INT);
    EXPECT_EQ(got.nvlsCTAs, 2);
    EXPECT_EQ(got.cgaClusterSize, 3);
    EXPECT_NE(got.algSelection, nullptr);
    EXPECT_EQ(got.forceAlgSelection, 0);
    EXPECT_EQ(got.CTAPolicy, 2);
    EXPECT_EQ(got.userProfilerTag, 7u);
    EXPECT_EQ(got.launchCompletionEvent, event.native_handle());
    EXPECT_THROW(calls[0]({.alg_selection = std::string("a\0b", 3)}), std::invalid_argument);
}

TEST_F(CollectiveTest, SendsAndReceives) {
    communicator_.send(stream_, at<const std::byte>(0x1000, 100), 3);
    expect_call("ncclSend", 0x1000, 0, 100, nccl::ncclUint8, -1, 3);
    communicator_.receive(stream_, at<std::byte>(0x2000, 100), 1);
    expect_call("ncclRecv", 0, 0x2000, 100, nccl::ncclUint8, -1, 1);
}

TEST_F(CollectiveTest, PassesCountsOfAnySize) {
    constexpr std::size_t many = (std::size_t{1} << 33) + 4;
    communicator_.all_reduce(stream_, at<std::byte>(0x1000, many));
    EXPECT_EQ(latest().count, many);
    communicator_.all_gather(stream_, at<std::byte>(0x1000, 4 * many));
    expect_call("ncclAllGather", 0x1000 + 2 * many, 0x1000, many, nccl::ncclUint8, -1, -1);
    communicator_.send(stream_, at<float>(0x1000, many), 0);
    EXPECT_EQ(latest().count, many);
    communicator_.all_reduce(stream_, at<float>(0, 0));
    EXPECT_EQ(latest().count, 0u);
    communicator_.send(stream_, at<float>(0, 0), 0);
    EXPECT_EQ(latest().count, 0u);
}

TEST_F(CollectiveTest, RejectsCountsThatDoNotMatch) {
    const auto rejected = [&](auto call) { return message_of<std::invalid_argument>(call); };
    const auto ten = at<float>(0x1000, 10), twelve = at<float>(0x2000, 12);
    EXPECT_THAT(rejected([&] { communicator_.all_reduce(stream_, ten, twelve); }),
                AllOf(HasSubstr("all_reduce"), HasSubstr("10"), HasSubstr("12")));
    EXPECT_THAT(rejected([&] { communicator_.reduce(stream_, ten, twelve, 2); }), HasSubstr("12"));
    EXPECT_THAT(rejected([&] { communicator_.all_gather(stream_, ten, twelve); }),
                AllOf(HasSubstr("10"), HasSubstr("12"), HasSubstr("4 ranks")));
    EXPECT_THAT(rejected([&] { communicator_.all_gather(stream_, ten); }), AllOf(HasSubstr("10"), HasSubstr("4 equal parts")));
    EXPECT_THAT(rejected([&] { communicator_.reduce_scatter(stream_, ten, twelve); }), HasSubstr("4 times"));
    EXPECT_THAT(rejected([&] { communicator_.all_to_all(stream_, ten, twelve); }), HasSubstr("equal counts"));
    EXPECT_THAT(rejected([&] { communicator_.all_to_all(stream_, ten, ten); }), HasSubstr("multiple"));
    EXPECT_THAT(rejected([&] { communicator_.gather(stream_, ten, twelve, 2); }), HasSubstr("4 times"));
    EXPECT_THAT(rejected([&] { communicator_.scatter(stream_, ten, twelve, 2); }), HasSubstr("4 times"));
    // The product of the count and the number of ranks exceeds the address space.
    const auto huge = at<std::byte>(0x1000, (std::size_t{1} << 62) + 3);
    EXPECT_THAT(rejected([&] { communicator_.all_gather(stream_, huge, at<std::byte>(0x2000, 12)); }), HasSubstr("4 ranks"));
    EXPECT_TRUE(stand_in().calls.empty());
}

TEST_F(CollectiveTest, RejectsRanksThatDoNotExist) {
    const auto data = at<float>(0x1000, 4);
    for (const int rank : {-1, 4}) {
        const std::string limit = "0 to 3";
        EXPECT_THAT(message_of<std::invalid_argument>([&] { communicator_.broadcast(stream_, data, rank); }),
                    AllOf(HasSubstr("root is " + std::to_string(rank)), HasSubstr(limit)));
        EXPECT_THROW(communicator_.reduce(stream_, data, rank), std::invalid_argument);
        EXPECT_THROW(communicator_.gather(stream_, data, data, rank), std::invalid_argument);
        EXPECT_THROW(communicator_.scatter(stream_, data, data, rank), std::invalid_argument);
        EXPECT_THROW(communicator_.receive(stream_, data, rank), std::invalid_argument);
        EXPECT_THAT(message_of<std::invalid_argument>([&] { communicator_.send(stream_, data, rank); }), HasSubstr("peer"));
    }
}

TEST_F(CollectiveTest, MultipliesBeforeASum) {
    auto halved = nccl::ReductionOperator::premultiplied_sum(communicator_, 0.5f);
    EXPECT_EQ(stand_in().scale, 0.5f);
    communicator_.all_reduce(stream_, at<float>(0x1000, 4), halved);
    EXPECT_EQ(latest().operation, nccl::ncclNumOps);
    const auto scale = Device(2).allocate<float>(stream_, 1);
    halved = nccl::ReductionOperator::premultiplied_sum(communicator_, scale);
    EXPECT_EQ(stand_in().operators, 1);
    EXPECT_THROW(static_cast<void>(nccl::ReductionOperator::premultiplied_sum(communicator_, at<float>(0, 0))),
                 std::invalid_argument);

    EXPECT_THAT(message_of<std::invalid_argument>([&] { communicator_.all_reduce(stream_, at<double>(0x1000, 4), halved); }),
                HasSubstr("data type"));
    nccl::Communicator other = communicator();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { other.all_reduce(stream_, at<float>(0x1000, 4), halved); }),
                HasSubstr("another communicator"));
    const nccl::ReductionOperator moved = std::move(halved);
    const auto use = [&](const nccl::ReductionOperator& each) { communicator_.all_reduce(stream_, at<float>(0x1000, 4), each); };
    EXPECT_THROW(use(halved), std::invalid_argument);  // NOLINT(bugprone-use-after-move)
}

TEST_F(CollectiveTest, GraphsRetainTheBuffers) {
    std::optional<Graph> graph;
    {
        GraphBuilder builder = GraphBuilder(Device(2));
        builder.begin_building();
        nccl::NcclMemoryResource memory(Device(2));
        auto data = memory.allocate<float>(stream_, 4);
        communicator_.all_reduce(builder, data);
        builder.end_building();
        graph = builder.complete();
    }
    EXPECT_EQ(stand_in().allocated, 1);
    graph.reset();
    destroy_deferred_objects();
    EXPECT_EQ(stand_in().allocated, 0);
}

TEST_F(CollectiveTest, ThrowsWhatAProgramCatchesForAllLibraries) {
    stand_in().status = nccl::ncclInvalidUsage;
    try {
        communicator_.all_reduce(stream_, at<float>(0x1000, 4));
        ADD_FAILURE() << "nothing was thrown";
    } catch (const CommunicationError& error) {  // as that of NVSHMEM
        EXPECT_EQ(error.operation(), "all_reduce");
        EXPECT_EQ(error.rank(), 2);
    }
}

TEST_F(CollectiveTest, ThrowsTheFailureOfACall) {
    stand_in().status = nccl::ncclInvalidUsage;
    try {
        communicator_.broadcast(stream_, at<float>(0x1000, 4), 0);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const nccl::CommunicationError& error) {
        EXPECT_EQ(error.code(), nccl::ncclInvalidUsage);
        EXPECT_EQ(error.function(), "ncclBroadcast");
        EXPECT_EQ(error.operation(), "broadcast");
        EXPECT_EQ(error.rank(), 2);
        EXPECT_EQ(error.last_error(), "the text of the stand-in");
        EXPECT_THAT(error.what(),
                    AllOf(HasSubstr("broadcast of rank 2"), HasSubstr("the text of the stand-in"), HasSubstr("one rank a GPU")));
    }
    communicator_ = {};
    EXPECT_EQ(stand_in().count("ncclCommAbort"), 1);  // ranks may be missing
    EXPECT_EQ(stand_in().count("ncclCommDestroy"), 0);
}

}  // namespace
}  // namespace cubind::testing
