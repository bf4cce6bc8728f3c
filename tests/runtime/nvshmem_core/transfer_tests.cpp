// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "nvshmem_test.hpp"

namespace cubind::testing {
namespace {

using nvshmem::Comparison;
using nvshmem::SignalOperation;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Memory of the host, temporary buffers and constant destinations do not compile.
static_assert(nvshmem::detail::Source<TypedBuffer<float>&> && nvshmem::detail::Source<std::span<const float>>);
static_assert(!nvshmem::detail::Source<TypedBuffer<float>> && !nvshmem::detail::Source<std::vector<float>&>);
static_assert(!nvshmem::detail::Source<float&> && !nvshmem::detail::Source<Buffer&>);
static_assert(!nvshmem::detail::Destination<std::span<const float>> && !nvshmem::detail::Destination<const TypedBuffer<float>&>);
static_assert(nvshmem::detail::DestinationOf<std::span<std::uint64_t>, std::uint64_t>);
static_assert(!nvshmem::detail::DestinationOf<std::span<std::uint32_t>, std::uint64_t>);

class TransferTest : public NvshmemSessionTest {
protected:
    TypedBuffer<float> heap_ = allocate<float>(100);
    TypedBuffer<float> own_ = Device(2).allocate<float>(stream_, 100);
    TypedBuffer<std::uint64_t> signals_ = allocate<std::uint64_t>(2);
};

TEST_F(TransferTest, PutsAndGets) {
    session_.put(stream_, heap_, own_, 3);
    expect_call("nvshmemx_putmem_on_stream", heap_.span().data(), own_.span().data(), 400, 3);
    session_.get(stream_, own_, heap_, 0);
    expect_call("nvshmemx_getmem_on_stream", own_.span().data(), heap_.span().data(), 400, 0);
    session_.put(stream_, heap_.first(5), own_.last(5), 3, nvshmem::Session::Mode::beside);
    expect_call("nvshmemx_putmem_nbi_on_stream", heap_.span().data(), own_.span().data() + 95, 20, 3);
    session_.get(stream_, own_.first(5), heap_.first(5), 3, nvshmem::Session::Mode::beside);
    expect_call("nvshmemx_getmem_nbi_on_stream", own_.span().data(), heap_.span().data(), 20, 3);
    session_.quiet(stream_);
    EXPECT_EQ(latest().function, "nvshmemx_quiet_on_stream");
    session_.flush(stream_);
    EXPECT_EQ(latest().function, "nvshmemx_flush_on_stream");
    session_.quiet();
    session_.fence();
    EXPECT_EQ(stand_in().count("nvshmem_quiet"), 1);
    EXPECT_EQ(stand_in().count("nvshmem_fence"), 1);
}

TEST_F(TransferTest, TakesStrides) {
    session_.put(stream_, heap_, own_, 20, {.destination = 5, .source = 2}, 1);
    expect_call("nvshmemx_iput32_on_stream", heap_.span().data(), own_.span().data(), 20, 1);
    EXPECT_EQ(latest().destination_stride, 5);
    EXPECT_EQ(latest().source_stride, 2);
    session_.get(stream_, signals_, signals_, 2, {}, 1);
    expect_call("nvshmemx_iget64_on_stream", signals_.span().data(), signals_.span().data(), 2, 1);
    session_.put(stream_, heap_, own_, 0, {}, 1);
    EXPECT_EQ(stand_in().calls.size(), 2u);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { session_.put(stream_, heap_, own_, 21, {.destination = 5}, 1); }),
                AllOf(HasSubstr("100 elements"), HasSubstr("21 at a stride of 5")));
    EXPECT_THROW(session_.put(stream_, heap_, own_, 2, {.source = 0}, 1), std::invalid_argument);
    EXPECT_THROW(session_.put(stream_, heap_, own_, 2, {.source = -1}, 1), std::invalid_argument);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { session_.put(stream_, heap_, own_, 1, {.source = 1 << 29}, 1); }),
                HasSubstr("1 to 536870911"));
    stand_in().unreachable_pe = 1;
    EXPECT_THAT(message_of<std::invalid_argument>([&] { session_.get(stream_, own_, heap_, 2, {}, 1); }), HasSubstr("PE 1"));
}

TEST_F(TransferTest, Signals) {
    const auto signal = signals_.subspan(1, 1);
    session_.put_signal(stream_, heap_, own_, signal, 7, SignalOperation::set, 3);
    expect_call("nvshmemx_putmem_signal_on_stream", heap_.span().data(), own_.span().data(), 400, 3);
    EXPECT_EQ(latest().value, 7u);
    EXPECT_EQ(latest().operation, 9);
    session_.put_signal(stream_, heap_, own_, signal, 7, SignalOperation::add, 3, nvshmem::Session::Mode::beside);
    expect_call("nvshmemx_putmem_signal_nbi_on_stream", heap_.span().data(), own_.span().data(), 400, 3);
    EXPECT_EQ(latest().operation, 10);
    session_.signal(stream_, signal, 3, SignalOperation::add, 0);
    expect_call("nvshmemx_signal_op_on_stream", signal.data(), nullptr, 1, 0);
    session_.put_signal(stream_, heap_.first(0), own_.first(0), signal, 8, SignalOperation::set, 0);  // the other PE waits for it
    expect_call("nvshmemx_signal_op_on_stream", signal.data(), nullptr, 1, 0);
    EXPECT_EQ(latest().value, 8u);
    session_.wait_signal(stream_, signal, Comparison::greater_or_equal, 8);
    expect_call("nvshmemx_signal_wait_until_on_stream", signal.data(), nullptr, 1, -1);
    EXPECT_EQ(latest().operation, nvshmem::NVSHMEM_CMP_GE);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { session_.wait_signal(stream_, signals_, Comparison::equal, 1); }),
                HasSubstr("2 elements"));
    auto elsewhere = Device(2).allocate<std::uint64_t>(stream_, 1);
    EXPECT_THROW(session_.signal(stream_, elsewhere, 1, SignalOperation::set, 0), std::invalid_argument);
    EXPECT_THROW(session_.put_signal(stream_, heap_, own_, elsewhere, 1, SignalOperation::set, 0), std::invalid_argument);
}

TEST_F(TransferTest, WaitsForIntegers) {
    auto numbers = allocate<int>(1);
    session_.wait_until(stream_, numbers, Comparison::less, -5);
    expect_call("nvshmemx_int32_wait_until_on_stream", numbers.span().data(), nullptr, 1, -1);
    EXPECT_EQ(static_cast<std::int64_t>(latest().value), -5);
    EXPECT_EQ(latest().operation, nvshmem::NVSHMEM_CMP_LT);
    auto large = allocate<long long>(1);
    session_.wait_until(stream_, large, Comparison::equal, std::numeric_limits<long long>::min());
    expect_call("nvshmemx_int64_wait_until_on_stream", large.span().data(), nullptr, 1, -1);
    EXPECT_EQ(latest().value, std::uint64_t{1} << 63);
    auto bits = allocate<unsigned>(1);
    session_.wait_until(stream_, bits, Comparison::not_equal, 0u);
    EXPECT_EQ(latest().function, "nvshmemx_uint32_wait_until_on_stream");
    session_.wait_until(stream_, signals_.first(1), Comparison::equal, 1);
    EXPECT_EQ(latest().function, "nvshmemx_uint64_wait_until_on_stream");
    EXPECT_THROW(session_.wait_until(stream_, signals_, Comparison::equal, 1), std::invalid_argument);
}

TEST_F(TransferTest, RejectsMistakes) {
    EXPECT_THAT(message_of<std::invalid_argument>([&] { session_.put(stream_, heap_, own_.first(99), 3); }),
                AllOf(HasSubstr("100 elements"), HasSubstr("99")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { session_.put(stream_, heap_, own_, 4); }),
                AllOf(HasSubstr("PE is 4"), HasSubstr("0 to 3")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { session_.put(stream_, own_, heap_, 3); }),
                AllOf(HasSubstr("destination, 400 bytes"), HasSubstr("not in the symmetric heap")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { session_.get(stream_, heap_, own_, 3); }),
                HasSubstr("source, 400 bytes"));
    auto* const near_end = reinterpret_cast<float*>(stand_in().heap_of(2) + NvshmemStandIn::heap_size - 4);
    session_.put(stream_, std::span(near_end, 1), own_.first(1), 3);
    EXPECT_THROW(session_.put(stream_, std::span(near_end, 2), own_.first(2), 3), std::invalid_argument);
    EXPECT_EQ(stand_in().calls.size(), 1u);
}

TEST_F(TransferTest, TakesMoreElementsThan32BitsCount) {
    constexpr std::size_t many = (std::size_t{1} << 32) + 3;
    stand_in().reach = std::size_t{1} << 40;
    const std::span<float> huge(heap_.span().data(), many);
    session_.put(stream_, huge, huge, 3);
    expect_call("nvshmemx_putmem_on_stream", huge.data(), huge.data(), 4 * many, 3);
    session_.get(stream_, huge, huge, many / 2, {.destination = 2, .source = 2}, 3);
    expect_call("nvshmemx_iget32_on_stream", huge.data(), huge.data(), many / 2, 3);
    session_.world().all_reduce(stream_, huge);
    expect_call("nvshmemx_float_sum_reduce_on_stream", huge.data(), huge.data(), many, -1, 0);
    session_.world().all_to_all(stream_, huge.first(many - 3), huge.first(many - 3));
    expect_call("nvshmemx_uint32_alltoall_on_stream", huge.data(), huge.data(), (many - 3) / 4, -1, 0);
}

TEST_F(TransferTest, DoesNothingForNoElements) {
    session_.put(stream_, heap_.first(0), own_.first(0), 3);
    session_.get(stream_, std::span<float>(), std::span<const float>(), 3);
    EXPECT_TRUE(stand_in().calls.empty());
}

// The free of a buffer of the heap waits for the other PEs, so a graph must not delay it.
TEST_F(TransferTest, GraphsRetainBuffersExceptThoseOfTheHeap) {
    std::optional<Graph> graph;
    const int before = stand_in().allocated;
    std::weak_ptr<const void> alive;
    {
        GraphBuilder builder(Device(2));
        builder.begin_building();
        auto data = allocate<float>(100);
        auto source = DeviceMemoryResource(Device(2)).allocate<float>(stream_, 100);
        alive = cubind::detail::share(source.bytes());
        session_.put(builder, data, source, 3);
        session_.world().all_reduce(builder, data);
        atomic_fetch(session_, builder, source.first(1), data.first(1), 3);
        builder.end_building();
        graph = builder.complete();
    }
    EXPECT_EQ(stand_in().allocated, before);
    EXPECT_FALSE(alive.expired());
    graph.reset();
    destroy_deferred_objects();
    EXPECT_TRUE(alive.expired());
}

TEST_F(TransferTest, SaysThatTheLibraryIsTooOld) {
    stand_in().missing.insert("nvshmemx_flush_on_stream");
    EXPECT_THAT(message_of<nvshmem::CommunicationError>([&] { session_.flush(stream_); }), HasSubstr("3.7"));
}

}  // namespace
}  // namespace cubind::testing
