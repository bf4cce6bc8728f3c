// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/copy_batch.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <numeric>
#include <string>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class CopyBatchTest : public MemoryTest, public ::testing::WithParamInterface<const char*> {
protected:
    CopyBatchTest() : MemoryTest({.devices = 2, .memory = std::size_t{1} << 30, .release = GetParam()}) {}

    std::vector<int> values{1, 2, 3, 4};
    std::vector<int> others{5, 6, 7, 8};
    Buffer first = device.allocate(stream, 16);
    Buffer second = device.allocate(stream, 16);
};

INSTANTIATE_TEST_SUITE_P(AllReleases, CopyBatchTest, ::testing::Values("13.4", "12.8", "12.6"), [](const auto& each) {
    std::string name = each.param;
    name[name.find('.')] = '_';
    return "Cuda" + name;
});

TEST_P(CopyBatchTest, MakesEveryCopy) {
    TypedBuffer<float> floats = device.allocate<float>(stream, 2);
    const float one = 1.5f;
    copy_batch(stream, {{first, values}, {second, others}, {floats.first(1), one}, {floats.last(1), one}});
    std::vector<int> results(8);
    std::vector<float> numbers(2);
    stream.synchronize();
    const std::vector<CopyPiece> pieces{{std::span(results).first(4), first},
                                        {std::span(results).last(4), second, {.prefer_overlap_with_compute = true}},
                                        {numbers, floats}};
    copy_batch(stream, pieces, {.source_access_order = SourceAccessOrder::any});
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
    EXPECT_THAT(numbers, ElementsAre(1.5f, 1.5f));
}

TEST_P(CopyBatchTest, MakesManyCopies) {
    constexpr std::size_t count = 300;
    std::vector<int> source(count);
    std::iota(source.begin(), source.end(), 0);
    TypedBuffer<int> reversed = device.allocate<int>(stream, count);
    std::vector<CopyPiece> pieces;
    for (std::size_t i = 0; i < count; ++i) {
        const CopyOptions options{.prefer_overlap_with_compute = i % 3 == 0};
        pieces.emplace_back(reversed.subspan(count - 1 - i, 1), std::span<const int>(source).subspan(i, 1), options);
    }
    copy_batch(stream, pieces);
    std::vector<int> results(count);
    copy(stream, results, reversed);
    stream.synchronize();
    EXPECT_TRUE(std::equal(results.begin(), results.end(), source.rbegin()));
}

TEST_P(CopyBatchTest, NamesThePieceThatIsTooLarge) {
    fill(stream, first, 0);
    expect_misuse(
        [&] {
            copy_batch(stream, {{first, values}, {second.span<int>().first(1), others}});
        },
        "copy 1 of 2", "16 bytes to a destination of 4 bytes");
    std::vector<int> results(4);
    copy(stream, results, first);
    stream.synchronize();
    EXPECT_THAT(results, ::testing::Each(0)) << "no copy was made";
}

TEST_P(CopyBatchTest, RejectsCopiesThatDependOnEachOther) {
    const std::span<int> ints = first.span<int>();
    expect_misuse(
        [&] {
            copy_batch(stream, {{first, values}, {values, second}});
        },
        "the destination of copy 1", "overlaps the source of copy 0");
    expect_misuse(
        [&] {
            copy_batch(stream, {{ints.first(2), values[0]}, {second, values}, {ints.subspan(0, 1), others[0]}});
        },
        "overlaps the destination of copy", "no order");
    expect_misuse(
        [&] {
            copy_batch(stream, {{ints.subspan(1), ints.first(3)}});
        },
        "copy 0 of 1", "overlaps the source of copy 0");
    copy_batch(stream, {{first, values}, {second, values}});  // one source
    copy_batch(stream, {{ints.first(1), others[0]}, {ints.subspan(1, 1), others[1]}});
    std::vector<int> results(4);
    copy(stream, results, first);
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(5, 6, 3, 4));
}

TEST_P(CopyBatchTest, NamesThePieceThatTheDriverRejects) {
    const std::span<int> beyond(second.span<int>().data(), 8);
    std::vector<int> results(12);
    const std::string message = message_of<Error>([&] {
        copy_batch(stream, {{std::span(results).first(4), first}, {std::span(results).last(8), beyond}});
    });
    EXPECT_THAT(message, AllOf(HasSubstr("CUDA_ERROR_INVALID_VALUE"), HasSubstr("copy 1 of 2"),
                               HasSubstr("the source, 32 bytes at 0x"), HasSubstr("device memory of device 0: 16 bytes")));
    stream.synchronize();
}

TEST_P(CopyBatchTest, IgnoresZeroBytes) {
    layers::faults::start();
    copy_batch(stream, {});
    copy_batch(stream, {{first, std::span<const int>()}});
    EXPECT_EQ(layers::faults::calls("cuMemcpyAsync") + layers::faults::calls("cuMemcpyBatchAsync") +
                  layers::faults::calls("cuMemcpyBatchAsync_v2"),
              0u);
    layers::faults::stop();
    copy_batch(stream, {{first, std::span<const int>()}, {second, values}});
    std::vector<int> results(4);
    copy(stream, results, second);
    stream.synchronize();
    EXPECT_EQ(results, values);
    Stream closed = std::move(stream);
    EXPECT_THROW(copy_batch(stream, {}), std::invalid_argument) << "the stream was moved from";
    first.close(closed);
    EXPECT_THROW(copy_batch(closed, {{first, values}}), std::invalid_argument) << "the buffer is closed";
}

TEST_P(CopyBatchTest, CopiesBetweenDevicesBesidesOtherCopies) {
    const Stream on_other(Device(1));
    Buffer there = Device(1).allocate(on_other, 16);
    on_other.synchronize();
    copy(stream, first, values);
    copy_batch(stream, {{second, others}, {there, first}});
    stream.synchronize();
    std::vector<int> results(8);
    copy_batch(stream, {{std::span(results).first(4), there}, {std::span(results).last(4), second}},
               {.source_access_order = SourceAccessOrder::during_api_call});
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
    EXPECT_FALSE(ContextRef::current());
}

TEST_P(CopyBatchTest, RetainsBuffersOfACapture) {
    const std::uint64_t before = used();
    GraphBuilder builder(device);
    builder.begin_building();
    {
        Buffer buffer = device.allocate(stream, 64);
        copy_batch(builder, {{buffer, first}});
    }
    Graph graph = builder.end_building().complete();
    stream.synchronize();
    EXPECT_GT(used(), before);
    graph.launch(stream);
    stream.synchronize();
}

}  // namespace
}  // namespace cubind::testing
