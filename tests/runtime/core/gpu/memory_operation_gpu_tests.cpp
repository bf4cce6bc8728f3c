// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Memory operations of streams and graphs on a GPU.

#include <cubind/core.hpp>
#include <cubind/core/graph/memory_operation_node.hpp>
#include <cubind/driver.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "device_gpu_test.hpp"

namespace cubind::testing {
namespace {

class MemoryOperationGpuTest : public DeviceGpuTest {
protected:
    using Word = std::uint32_t;

    void SetUp() override {
        DeviceGpuTest::SetUp();
        if (IsSkipped()) return;
        other = Stream(*device);
        words = LegacyPinnedMemoryResource().allocate<Word>(stream, 4);
        longs = LegacyPinnedMemoryResource().allocate<std::uint64_t>(stream, 1);
        std::ranges::fill(words.span(), 0);
        std::ranges::fill(longs.span(), 0);
    }
    /// Returns the words after the work of the second stream.
    std::vector<Word> read() {
        other.synchronize();
        std::vector<Word> results;
        for (Word& each : words.span()) results.push_back(std::atomic_ref(each).load());
        return results;
    }

    /// Stores a value for which a stream may still wait, so that the stream ends even if a test fails.
    class Release {
    public:
        Release(Word& word, Word value) : word_(word), value_(value) {}
        Release(const Release&) = delete;
        Release& operator=(const Release&) = delete;
        ~Release() { store(); }

        void store() const { std::atomic_ref(word_).store(value_); }

    private:
        Word& word_;
        const Word value_;
    };

    /// Returns the message of the Error that the call throws, or an empty text.
    template <class Call>
    static std::string message_of(const Call& call) {
        try {
            call();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    Stream other;
    TypedBuffer<Word> words;
    TypedBuffer<std::uint64_t> longs;
};

TEST_F(MemoryOperationGpuTest, WaitsForAnotherStream) {
    const Release release(words.span().front(), 2);
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
    const Release release(words.span().front(), 4);
    wait_value(stream, words.first(1), WaitCondition::equal, 4);
    write_value(stream, words.last(1), 9);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(stream.is_done());
    release.store();
    stream.synchronize();
    EXPECT_EQ(read(), (std::vector<Word>{4, 0, 0, 9}));
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
    EXPECT_THAT(message_of([&] { flush_remote_writes(stream); }),
                ::testing::HasSubstr("CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES"));
}

TEST_F(MemoryOperationGpuTest, RejectsManagedMemory) {
    auto managed = ManagedMemoryResource().allocate<Word>(stream, 1);
    EXPECT_THROW(write_value(stream, managed, 1), Error);
    stream.synchronize();
}

TEST_F(MemoryOperationGpuTest, RejectsMemoryOfAPool) {
    if (!device->properties().memory_pools_supported()) GTEST_SKIP() << "the device has no pools";
    auto pooled = device->allocate<Word>(stream, 1);
    fill(stream, pooled, 1);
    stream.synchronize();
    // Drivers do not report the pool of all memory that is from one.
    const auto names_pool =
        ::testing::AllOf(::testing::HasSubstr("memory of a pool"), ::testing::HasSubstr("LegacyPinnedMemoryResource"));
    EXPECT_THAT(message_of([&] { write_value(stream, pooled, 1); }), names_pool);
    EXPECT_THAT(message_of([&] { wait_value(stream, pooled, WaitCondition::equal, 1); }), names_pool);
    EXPECT_THAT(message_of([&] { memory_operation_batch(stream, {MemoryOperation::write(pooled, 1)}); }), names_pool);
    GraphDefinition definition(*device);
    definition.memory_operations({MemoryOperation::write(pooled, 1)});
    const Graph graph = definition.instantiate();
    EXPECT_THAT(message_of([&] { graph.launch(stream); }),
                ::testing::AllOf(::testing::HasSubstr("cuGraphLaunch"), ::testing::HasSubstr("belong to a pool")));
    stream.synchronize();
}

TEST_F(MemoryOperationGpuTest, UsesVirtualMemory) {
    auto flag = VirtualMemoryResource(*device).allocate<Word>(stream, 1);
    fill(stream, flag, 0);
    write_value(stream, flag, 6);
    wait_value(stream, flag, WaitCondition::equal, 6);
    Word result = 0;
    copy(stream, result, flag);
    stream.synchronize();
    EXPECT_EQ(result, 6u);
}

TEST_F(MemoryOperationGpuTest, RunsAsNodes) {
    GraphDefinition definition(*device);
    const auto node = definition.memory_operations(
        {MemoryOperation::wait(words.first(1), WaitCondition::equal, 3), MemoryOperation::write(words.last(1), 4)});
    EXPECT_EQ(node.operations().size(), 2u);
    const Graph graph = definition.instantiate();
    const Release release(words.span().front(), 3);
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
