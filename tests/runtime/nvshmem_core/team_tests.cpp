// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

#include "nvshmem_test.hpp"

namespace cubind::testing {

/// A type of two bytes of which a program says that it is a bfloat16.
struct Brain {
    unsigned short bits;
};

}  // namespace cubind::testing

template <>
struct cubind::nvshmem::DataType<cubind::testing::Brain> {
    static constexpr auto value = cubind::nvshmem::ElementType::bfloat16;
};

namespace cubind::testing {
namespace {

using nvshmem::ElementType;
using ::testing::AllOf;
using ::testing::HasSubstr;

static_assert(nvshmem::detail::data_type_of<const float>() == ElementType::float32);
static_assert(nvshmem::detail::data_type_of<signed char>() == ElementType::int8);
static_assert(nvshmem::detail::data_type_of<unsigned short>() == ElementType::uint16);
static_assert(nvshmem::detail::data_type_of<long long>() == ElementType::int64);
static_assert(nvshmem::detail::data_type_of<unsigned long>() == ElementType::uint64);
static_assert(nvshmem::detail::data_type_of<Brain>() == ElementType::bfloat16);
static_assert(!nvshmem::detail::HasDataType<bool> && !nvshmem::detail::HasDataType<long double>);

class TeamTest : public NvshmemSessionTest {
protected:
    template <class Element, nvshmem::ReductionKind kind>
    void expect_reduction(const std::string& function, nvshmem::Reduction<kind> op) {
        auto all = allocate<Element>(4);
        auto part = allocate<Element>(1);
        session_.world().all_reduce(stream_, all, all, op);
        expect_call(("nvshmemx_" + function + "_reduce_on_stream").c_str(), all.span().data(), all.span().data(), 4, -1, 0);
        session_.world().reduce_scatter(stream_, part, all, op);
        expect_call(("nvshmemx_" + function + "_reducescatter_on_stream").c_str(), part.span().data(), all.span().data(), 1, -1,
                    0);
    }
    template <class Element>
    void expect_arithmetic(const std::string& type) {
        expect_reduction<Element>(type + "_sum", nvshmem::sum);
        expect_reduction<Element>(type + "_prod", nvshmem::product);
        expect_reduction<Element>(type + "_min", nvshmem::min);
        expect_reduction<Element>(type + "_max", nvshmem::max);
    }
    template <class Element>
    void expect_all(const std::string& type) {
        expect_arithmetic<Element>(type);
        expect_reduction<Element>(type + "_and", nvshmem::bit_and);
        expect_reduction<Element>(type + "_or", nvshmem::bit_or);
        expect_reduction<Element>(type + "_xor", nvshmem::bit_xor);
    }
    template <class Element>
    void expect_copies(const std::string& type, std::size_t factor) {
        const std::string on_stream = "_on_stream", underscore = type.empty() ? "" : "_";
        const auto name = [&](const char* operation) {
            return "nvshmemx_" + type + underscore + operation + (type.empty() ? "mem" : "") + on_stream;
        };
        auto all = allocate<Element>(8);
        auto part = allocate<Element>(2);
        const nvshmem::Team& world = session_.world();
        world.all_gather(stream_, all, part);
        expect_call(name("fcollect").c_str(), all.span().data(), part.span().data(), 2 * factor, -1, 0);
        world.broadcast(stream_, all, all, 3);
        expect_call(name("broadcast").c_str(), all.span().data(), all.span().data(), 8 * factor, 3, 0);
        world.all_to_all(stream_, all, all);
        expect_call(name("alltoall").c_str(), all.span().data(), all.span().data(), 2 * factor, -1, 0);
    }
};

TEST_F(TeamTest, HasAReductionForEachTypeAndOperation) {
    expect_all<std::int8_t>("int8");
    expect_all<std::int16_t>("int16");
    expect_all<std::int32_t>("int32");
    expect_all<std::int64_t>("int64");
    expect_all<std::uint8_t>("uint8");
    expect_all<std::uint16_t>("uint16");
    expect_all<std::uint32_t>("uint32");
    expect_all<std::uint64_t>("uint64");
    expect_arithmetic<float>("float");
    expect_arithmetic<double>("double");
    expect_arithmetic<Brain>("bfloat16");
}

TEST_F(TeamTest, CopiesElementsOfAnySize) {
    struct Three {
        char bytes[3];
    };
    struct Sixteen {
        double parts[2];
    };
    expect_copies<std::byte>("", 1);
    expect_copies<short>("uint16", 1);
    expect_copies<float>("uint32", 1);
    expect_copies<double>("uint64", 1);
    expect_copies<Three>("", 3);
    expect_copies<Sixteen>("", 16);
    auto bytes = allocate<std::byte>(64);  // elements that are not aligned
    const std::span<float> odd(reinterpret_cast<float*>(bytes.span().data() + 2), 4);
    session_.world().all_gather(stream_, odd, odd.first(1));
    expect_call("nvshmemx_fcollectmem_on_stream", odd.data(), odd.data(), 4, -1, 0);
}

TEST_F(TeamTest, TakesCountsBeyondTheAddressSpaceOfTheHeapOnlyIfTheyFit) {
    auto data = allocate<float>(4);
    const std::span<float> huge(data.span().data(), std::size_t{1} << 33);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { session_.world().all_reduce(stream_, huge); }),
                AllOf(HasSubstr("34359738368 bytes"), HasSubstr("heap")));
}

TEST_F(TeamTest, SynchronizesAndDoesNothingForNoElements) {
    auto data = allocate<float>(4);
    const nvshmem::Team& world = session_.world();
    world.all_reduce(stream_, data.first(0));
    world.reduce_scatter(stream_, data.first(0), data.first(0));
    world.all_gather(stream_, data.first(0), data.first(0));
    world.broadcast(stream_, data.first(0), data.first(0), 1);
    world.all_to_all(stream_, data.first(0), data.first(0));
    EXPECT_TRUE(stand_in().calls.empty());
    world.barrier(stream_);
    expect_call("nvshmemx_barrier_on_stream", nullptr, nullptr, 0, -1, 0);
    world.sync(stream_);
    expect_call("nvshmemx_team_sync_on_stream", nullptr, nullptr, 0, -1, 0);
    world.barrier();
    world.sync();
    EXPECT_EQ(stand_in().count("nvshmem_barrier"), 1);
    EXPECT_EQ(stand_in().count("nvshmem_team_sync"), 1);
}

TEST_F(TeamTest, Splits) {
    const nvshmem::Team& world = session_.world();
    nvshmem::Team even = world.split_strided(0, 2, 2);
    EXPECT_EQ(even.my_pe(), 1);
    EXPECT_EQ(even.n_pes(), 2);
    EXPECT_EQ(even.translate(1, world), 2);
    EXPECT_EQ(world.translate(2, even), 1);
    EXPECT_EQ(world.translate(1, even), std::nullopt);
    const nvshmem::Team odd = world.split_strided(1, 2, 2);
    EXPECT_TRUE(odd.is_closed());
    EXPECT_THROW(odd.barrier(stream_), std::invalid_argument);
    {
        const auto [row, column] = world.split_2d(2);
        EXPECT_EQ(row.my_pe(), 0);
        EXPECT_EQ(column.my_pe(), 1);
        EXPECT_EQ(row.translate(1, world), 3);
        EXPECT_EQ(column.translate(0, world), 0);
    }
    EXPECT_EQ(stand_in().count("nvshmem_team_destroy"), 2);
    auto data = allocate<float>(4);
    even.all_reduce(stream_, data);
    EXPECT_EQ(latest().team, even.native_handle());
    nvshmem::Team moved = std::move(even);
    even = std::move(moved);
    even.close();
    even.close();
    EXPECT_EQ(stand_in().count("nvshmem_team_destroy"), 3);
    EXPECT_THROW(even.sync(), std::invalid_argument);
    session_.shared().barrier(stream_);
    EXPECT_EQ(latest().team, nvshmem::NVSHMEM_TEAM_SHARED);
    EXPECT_EQ(stand_in().count("nvshmem_team_destroy"), 3);
}

TEST_F(TeamTest, RejectsMistakes) {
    const nvshmem::Team& world = session_.world();
    for (const auto& [first, stride, n_pes] : {std::tuple(4, 1, 1), std::tuple(-1, 1, 1), std::tuple(0, 0, 1),
                                               std::tuple(0, 1, 0), std::tuple(0, 2, 3), std::tuple(3, 1, 2)}) {
        EXPECT_THROW(static_cast<void>(world.split_strided(first, stride, n_pes)), std::invalid_argument)
            << first << stride << n_pes;
    }
    EXPECT_THROW(static_cast<void>(world.split_2d(0)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(world.translate(4, world)), std::invalid_argument);
    auto heap = allocate<float>(8);
    auto own = Device(2).allocate<float>(stream_, 8);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { world.all_reduce(stream_, heap, own); }),
                HasSubstr("the source, 32 bytes"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { world.all_reduce(stream_, own, heap); }),
                HasSubstr("the destination, 32"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { world.all_reduce(stream_, heap.first(3), heap); }),
                AllOf(HasSubstr("3 elements"), HasSubstr("8")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { world.all_gather(stream_, heap.first(7), heap.first(2)); }),
                AllOf(HasSubstr("7 elements"), HasSubstr("4 times")));
    EXPECT_THROW(world.reduce_scatter(stream_, heap.first(2), heap.first(7)), std::invalid_argument);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { world.all_to_all(stream_, heap.first(6), heap.first(6)); }),
                HasSubstr("6 elements"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { world.broadcast(stream_, heap, heap, 4); }), HasSubstr("root is 4"));
    EXPECT_TRUE(stand_in().calls.empty());
}

TEST_F(TeamTest, ThrowsTheFailureOfACall) {
    auto data = allocate<float>(4);
    stand_in().status = nvshmem::NVSHMEMX_ERROR_SYMMETRY;
    try {
        session_.world().all_reduce(stream_, data);
        ADD_FAILURE();
    } catch (const nvshmem::CommunicationError& error) {
        EXPECT_EQ(error.operation(), "all_reduce");
        EXPECT_EQ(error.pe(), 2);
        EXPECT_EQ(error.function(), "nvshmemx_float_sum_reduce_on_stream");
        EXPECT_THAT(error.what(), AllOf(HasSubstr("all_reduce of PE 2"), HasSubstr("same sizes")));
    }
    stand_in().status = nvshmem::NVSHMEMX_SUCCESS;
}

}  // namespace
}  // namespace cubind::testing
