// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Green contexts on a GPU: the SMs of a split, which SMs the kernels of a green context use, and lifetimes.

#include <cubind/core.hpp>
#include <cubind/driver/version.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "cleanup_failures.hpp"

namespace cubind::testing {
namespace {

// Each block writes the number of its SM, after a while, so that the blocks are spread over all SMs that they can use.
constexpr const char* where_ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry where(.param .u64 data) {
    .reg .u64 %address<4>;
    .reg .u64 %time<3>;
    .reg .u32 %value<4>;
    .reg .pred %p;
    ld.param.u64 %address1, [data];
    mov.u32 %value1, %ctaid.x;
    mul.wide.u32 %address2, %value1, 4;
    add.u64 %address1, %address1, %address2;
    mov.u32 %value2, %smid;
    st.global.u32 [%address1], %value2;
    mov.u64 %time1, %clock64;
    add.u64 %time1, %time1, 100000;
wait:
    mov.u64 %time2, %clock64;
    setp.lt.u64 %p, %time2, %time1;
    @%p bra wait;
    ret;
}
)";

class GreenContextGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        try {
            (void)Device();
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        const int version = check(driver::cuDriverGetVersion());
        if (version < 12050)
            GTEST_SKIP() << "the driver of CUDA " << version / 1000 << '.' << version % 1000 / 10 << " is too old";
        count_cleanup_failures();
    }
    void TearDown() override { EXPECT_EQ(cleanup_failures, 0); }

    /// Returns the SMs that 16 blocks for each SM of the device run on.
    static std::set<std::uint32_t> used(StreamRef stream) {
        const Device device(0);
        const Kernel kernel = ObjectCode::from_bytes(CodeType::ptx, std::string_view(where_ptx)).kernel("where");
        const auto blocks = static_cast<std::size_t>(device.properties().multiprocessor_count()) * 16;
        TypedBuffer<std::uint32_t> memory = device.allocate<std::uint32_t>(stream, blocks);
        fill(stream, memory, std::uint32_t{0xffffffff});
        launch(stream, {.grid = static_cast<unsigned int>(blocks), .block = 1024}, kernel, memory);
        std::vector<std::uint32_t> numbers(blocks);
        copy(stream, std::span(numbers), memory);
        stream.synchronize();
        return {numbers.begin(), numbers.end()};
    }
};

TEST_F(GreenContextGpuTest, SplitsTheMultiprocessorsOfTheDevice) {
    const Device device(0);
    const SmResource all = device.resources().sm();
    EXPECT_EQ(all.count(), static_cast<unsigned int>(device.properties().multiprocessor_count()));
    ASSERT_GT(all.coscheduled_alignment(), 0u);
    for (const unsigned int count : {1u, all.min_partition_size(), all.min_partition_size() + 1, all.count() / 2 - 8}) {
        const SmSplit split = all.split({.count = count});
        unsigned int sum = split.remainder.count();
        for (const SmResource& group : split.groups) {
            EXPECT_GE(group.count(), count);
            EXPECT_GE(group.count(), all.min_partition_size());
            EXPECT_EQ(group.count() % all.coscheduled_alignment(), 0u);
            sum += group.count();
        }
        EXPECT_EQ(split.groups.size(), all.max_groups({.count = count}));
        EXPECT_EQ(sum, all.count());
    }
}

TEST_F(GreenContextGpuTest, RestrictsKernelsToItsMultiprocessors) {
    const Device device(0);
    const SmSplit split = device.resources().sm().split({.count = 16, .groups = 1});
    const GreenContext small(device, split.groups[0]);
    const GreenContext rest(device, split.remainder);
    EXPECT_EQ(small.resources().sm().count(), split.groups[0].count());
    EXPECT_EQ(rest.resources().sm().count(), split.remainder.count());
    const Stream of_small = small.create_stream();
    const Stream of_rest = rest.create_stream();
    const std::set<std::uint32_t> used_by_small = used(of_small);
    const std::set<std::uint32_t> used_by_rest = used(of_rest);
    EXPECT_EQ(used_by_small.count(0xffffffff) + used_by_rest.count(0xffffffff), 0u) << "each block writes a number";
    EXPECT_LE(used_by_small.size(), split.groups[0].count());
    EXPECT_LE(used_by_rest.size(), split.remainder.count());
    EXPECT_GT(used_by_rest.size(), used_by_small.size());
    for (const std::uint32_t each : used_by_small) EXPECT_EQ(used_by_rest.count(each), 0u) << "SM " << each;
}

TEST_F(GreenContextGpuTest, SplitsTheResourcesOfAGreenContext) {
    const Device device(0);
    const GreenContext outer(device, device.resources().sm().split({.count = 32, .groups = 1}).groups[0]);
    const SmSplit split = outer.resources().sm().split({.count = 16, .groups = 2});
    const GreenContext inner(device, split.groups[1]);
    EXPECT_LE(used(inner.create_stream()).size(), split.groups[1].count());
}

TEST_F(GreenContextGpuTest, EndsBeforeAndAfterItsStreams) {
    const Device device(0);
    for (int round = 0; round < 10; ++round) {
        std::optional<GreenContext> green(
            GreenContext(device, device.resources().sm().split({.count = 8, .groups = 1}).groups[0]));
        std::optional<Stream> early(green->create_stream());
        std::optional<Stream> late(green->create_stream());
        const Buffer buffer = device.allocate(*late, 1024);
        early.reset();
        green.reset();
        EXPECT_FALSE(used(*late).empty());
        late.reset();
    }
}

TEST_F(GreenContextGpuTest, OrdersWorkByEvents) {
    const Device device(0);
    const SmSplit split = device.resources().sm().split({.count = 8, .groups = 2});
    const GreenContext first(device, split.groups[0]);
    const GreenContext second(device, split.groups[1]);
    const Stream producer = first.create_stream();
    const Stream consumer = second.create_stream();
    TypedBuffer<std::uint32_t> memory = device.allocate<std::uint32_t>(producer, 1);
    std::atomic<bool> is_open{false};
    producer.launch_host_function([&] {
        while (!is_open) {
        }
    });
    fill(producer, memory, std::uint32_t{7});
    second.wait(first.record());
    EXPECT_FALSE(producer.is_done());
    std::uint32_t value = 0;
    is_open = true;
    copy(consumer, value, memory);
    consumer.synchronize();
    EXPECT_EQ(value, 7u);
}

TEST_F(GreenContextGpuTest, ReturnsTheGreenContextOfAStream) {
    const Device device(0);
    const GreenContext green(device, device.resources().sm().split({.count = 8, .groups = 1}).groups[0]);
    const Stream stream = green.create_stream();
    const StreamRef view = stream.native_handle();
    EXPECT_EQ(view.green_context(), green);
    EXPECT_EQ(view.context(), green.context());
    EXPECT_FALSE(Stream(device).green_context());
    const ScopedContext scope(green.context());
    EXPECT_EQ(Stream(device).green_context(), green);
}

}  // namespace
}  // namespace cubind::testing
