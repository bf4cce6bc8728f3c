// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/arena_memory_resource.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <vector>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class ArenaTest : public MemoryTest {
protected:
    /// Captures a graph that fills `scratch` bytes of the arena and copies their first number to `result`.
    Graph capture(const ArenaMemoryResource& arena, unsigned int value, TypedBuffer<unsigned int>& result,
                  driver::CUdeviceptr& address) const {
        GraphBuilder builder(device);
        builder.begin_building();
        {
            auto scratch = arena.allocate<unsigned int>(builder, 64);
            address = scratch.native_handle();
            fill(builder, scratch, value);
            copy(builder, result, scratch.first(1));
        }
        builder.end_building();
        return builder.complete();
    }
    unsigned int read(TypedBuffer<unsigned int>& result) const {
        unsigned int number = 0;
        copy(stream, number, result);
        stream.synchronize();
        return number;
    }
};

TEST_F(ArenaTest, CutsAllocationsInOrderAndRewinds) {
    const ArenaMemoryResource arena(device.memory_resource(), stream, 4096);
    EXPECT_EQ(arena.size(), 4096u);
    EXPECT_EQ(arena.device(), device);
    EXPECT_TRUE(arena.is_device_accessible());
    const Buffer first = arena.allocate(stream, 100);
    const std::size_t position = arena.used();
    const Buffer second = arena.allocate(stream, 100);
    EXPECT_EQ(first.native_handle() % 256, 0u);
    EXPECT_EQ(second.native_handle(), first.native_handle() + 256);
    EXPECT_EQ(arena.used(), 356u);
    arena.rewind(position);
    EXPECT_EQ(arena.allocate(stream, 8, 8).native_handle(), first.native_handle() + 104);
    arena.rewind();
    EXPECT_EQ(arena.used(), 0u);
    EXPECT_EQ(arena.peak(), 356u);
    EXPECT_EQ(arena.allocate(stream, 4096).native_handle(), first.native_handle());
    expect_misuse([&] { arena.rewind(5000); }, "rewind(5000)", "4096 bytes");
}

TEST_F(ArenaTest, ReportsThatItIsTooSmall) {
    const ArenaMemoryResource arena(device.memory_resource(), stream, 1024);
    const Buffer first = arena.allocate(stream, 1000);
    EXPECT_THAT(message_of<OutOfMemory>([&] { (void)arena.allocate(stream, 100); }),
                AllOf(HasSubstr("100 bytes at a multiple of 256"), HasSubstr("1000 of 1024 bytes"), HasSubstr("rewind()")));
    EXPECT_THROW((void)arena.allocate(stream, ~std::size_t{0}), OutOfMemory);
    EXPECT_EQ(arena.used(), 1000u);
    expect_misuse([&] { (void)ArenaMemoryResource(device.memory_resource(), stream, 0); }, "at least 1 byte");
}

TEST_F(ArenaTest, IsSharedByGraphsAtTheSameAddresses) {
    auto result = device.allocate<unsigned int>(stream, 1);
    std::optional<ArenaMemoryResource> arena(std::in_place, device.memory_resource(), stream, 4096);
    const std::uint64_t used_before = used(device);
    driver::CUdeviceptr one = 0;
    driver::CUdeviceptr two = 0;
    Graph first = capture(*arena, 1, result, one);
    arena->rewind();
    Graph second = capture(*arena, 2, result, two);
    EXPECT_EQ(one, two);
    for (int i = 0; i < 2; ++i) {
        first.launch(stream);
        EXPECT_EQ(read(result), 1u);
        second.launch(stream);
        EXPECT_EQ(read(result), 2u);
    }
    arena.reset();
    EXPECT_EQ(used(device), used_before) << "the graphs retain the memory";
    first.close();
    second.launch(stream);
    EXPECT_EQ(read(result), 2u);
    second.close();
    stream.synchronize();
    destroy_deferred_objects();
    EXPECT_LT(used(device), used_before);
}

TEST_F(ArenaTest, IsNotCreatedInACapture) {
    GraphBuilder builder(device);
    builder.begin_building();
    expect_misuse([&] { (void)ArenaMemoryResource(device.memory_resource(), builder, 64); }, "before the capture");
    builder.end_building();
}

TEST_F(ArenaTest, HasTheKindOfMemoryOfItsUpstream) {
    const ArenaMemoryResource arena(LegacyPinnedMemoryResource(), stream, 64);
    EXPECT_TRUE(arena.is_host_accessible());
    EXPECT_EQ(arena.device(), std::nullopt);
    sweep([&] {
        const ArenaMemoryResource other(device.memory_resource(), stream, 64);
        (void)other.allocate(stream, 8);
    });
}

}  // namespace
}  // namespace cubind::testing
