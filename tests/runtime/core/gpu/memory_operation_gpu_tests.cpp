// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Memory operations of streams and graphs on a GPU.

#include <cubind/core.hpp>
#include <cubind/driver.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace cubind::testing {
namespace {

class MemoryOperationGpuTest : public ::testing::Test {
protected:
    using Word = std::uint32_t;

    void SetUp() override {
        try {
            device.emplace();
            stream = Stream(*device);
            other = Stream(*device);
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        words = device->allocate<Word>(stream, 4);
        longs = device->allocate<std::uint64_t>(stream, 1);
        fill(stream, words, 0);
        fill(stream, longs, std::byte{0});
        stream.synchronize();
    }
    std::vector<Word> read() {
        std::vector<Word> results(4);
        copy(other, results, words);
        other.synchronize();
        return results;
    }

    std::optional<Device> device;
    Stream stream;
    Stream other;
    TypedBuffer<Word> words;
    TypedBuffer<std::uint64_t> longs;
};

TEST_F(MemoryOperationGpuTest, WaitsForAnotherStream) {
    wait_value(stream, words.first(1), WaitCondition::greater_or_equal, 2);
    write_value(stream, words.subspan(1, 1), 7);
    write_value(other, words.first(1), 1);
    EXPECT_EQ(read(), (std::vector<Word>{1, 0, 0, 0}));
    EXPECT_FALSE(stream.is_done());
    write_value(other, words.first(1), 2);
    stream.synchronize();
    EXPECT_EQ(read(), (std::vector<Word>{2, 7, 0, 0}));
}

TEST_F(MemoryOperationGpuTest, WaitsForTheHost) {
    LegacyPinnedMemoryResource pinned;
    auto flag = pinned.allocate<Word>(stream, 1);
    const std::atomic_ref<Word> word(flag.span().front());
    word.store(0);
    wait_value(stream, flag, WaitCondition::equal, 4);
    write_value(stream, words.first(1), 9);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(stream.is_done());
    word.store(4);
    stream.synchronize();
    EXPECT_EQ(read().front(), 9u);
}

TEST_F(MemoryOperationGpuTest, HasAllConditionsAndSizes) {
    write_value(stream, words.first(1), 5);
    wait_value(stream, words.first(1), WaitCondition::greater_or_equal, 0xfffffff0);
    wait_value(stream, words.first(1), WaitCondition::bitwise_and, 4);
    if (device->properties().can_use_stream_wait_value_nor()) {
        wait_value(stream, words.first(1), WaitCondition::bitwise_nor, 0xfffffff8);
    }
    if (device->properties().can_use_64_bit_stream_mem_ops()) {
        write_value(stream, longs, std::uint64_t{1} << 40);
        wait_value(stream, longs, WaitCondition::equal, std::uint64_t{1} << 40);
    }
    memory_operation_batch(stream, {MemoryOperation::wait(words.first(1), WaitCondition::equal, 5), MemoryOperation::barrier(),
                                    MemoryOperation::write(words.last(1), 6)});
    memory_barrier(stream, MemoryBarrierScope::device);
    stream.synchronize();
    EXPECT_EQ(read(), (std::vector<Word>{5, 0, 0, 6}));
}

TEST_F(MemoryOperationGpuTest, NamesTheAttributeForAFlush) {
    if (device->properties().can_flush_remote_writes()) {
        flush_remote_writes(stream);
        stream.synchronize();
        return;
    }
    try {
        flush_remote_writes(stream);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES"));
    }
}

TEST_F(MemoryOperationGpuTest, RejectsPageableAndManagedMemory) {
    auto managed = ManagedMemoryResource().allocate<Word>(stream, 1);
    EXPECT_THROW(write_value(stream, managed, 1), Error);
    stream.synchronize();
}

TEST_F(MemoryOperationGpuTest, RunsAsNodes) {
    GraphDefinition definition(*device);
    const auto node = definition.memory_operations(
        {MemoryOperation::wait(words.first(1), WaitCondition::equal, 3), MemoryOperation::write(words.last(1), 4)});
    EXPECT_EQ(node.operations().size(), 2u);
    const Graph graph = definition.instantiate();
    graph.launch(stream);
    EXPECT_FALSE(stream.is_done());
    write_value(other, words.first(1), 3);
    stream.synchronize();
    EXPECT_EQ(read(), (std::vector<Word>{3, 0, 0, 4}));
    graph[node].update(
        {MemoryOperation::wait(words.first(1), WaitCondition::equal, 3), MemoryOperation::write(words.last(1), 8)});
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(read().back(), 8u);
    EXPECT_THROW(graph[node].update({MemoryOperation::write(words.last(1), 8)}), Error) << "another number of operations";
    EXPECT_THROW(graph[node].update({MemoryOperation::write(words.first(1), 3), MemoryOperation::write(words.last(1), 8)}), Error)
        << "another kind";
    node.update({MemoryOperation::write(words.subspan(1, 1), 2)});
    definition.instantiate().launch(stream);
    stream.synchronize();
    EXPECT_EQ(read()[1], 2u);
}

TEST_F(MemoryOperationGpuTest, IsCaptured) {
    GraphBuilder builder(*device);
    builder.begin_building();
    write_value(builder, words.first(1), 4);
    wait_value(builder, words.first(1), WaitCondition::equal, 4);
    memory_operation_batch(builder, {MemoryOperation::barrier(), MemoryOperation::write(words.last(1), 5)});
    const Graph graph = builder.end_building().complete();
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(read(), (std::vector<Word>{4, 0, 0, 5}));
}

}  // namespace
}  // namespace cubind::testing
