// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/graph/memory_operation_node.hpp>
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/memory_operation.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>
#include <cubind/layers/layer.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

/// Makes devices lack one attribute for the lifetime of the object.
class MissingAttribute final : public layers::Layer {
public:
    explicit MissingAttribute(driver::CUdevice_attribute attribute) : attribute_(attribute) { layers::push(*this); }
    ~MissingAttribute() { layers::remove(*this); }

    void handle(const Call& call, const layers::Next& next) noexcept override {
        next(call);
        if (std::string_view(call.function.symbol) != "cuDeviceGetAttribute") return;
        if (*static_cast<driver::CUdevice_attribute*>(call.arguments[1]) == attribute_)
            **static_cast<int**>(call.arguments[0]) = 0;
    }

private:
    driver::CUdevice_attribute attribute_;
};

class MemoryOperationTest : public MemoryTest {
protected:
    using Word = std::uint32_t;

    template <class Element>
    TypedBuffer<Element> zeros(std::size_t count) {
        auto buffer = LegacyPinnedMemoryResource().allocate<Element>(stream, count);
        fill(stream, buffer, std::byte{0});
        stream.synchronize();
        return buffer;
    }
    template <class Element>
    Element read(const TypedBuffer<Element>& buffer, std::size_t index = 0) {
        Element value{};
        copy(other, value, buffer.subspan(index, 1));
        other.synchronize();
        return value;
    }
    static bool is_done(StreamRef stream) { return stream.is_done(); }

    const Stream other{device};
};

TEST_F(MemoryOperationTest, WritesElements) {
    auto words = zeros<Word>(3);
    auto longs = zeros<std::uint64_t>(1);
    write_value(stream, words.subspan(1, 1), 0xfffffff0);
    write_value(stream, longs, std::uint64_t{5} << 40);
    stream.synchronize();
    EXPECT_EQ(read(words, 0), 0u);
    EXPECT_EQ(read(words, 1), 0xfffffff0u);
    EXPECT_EQ(read(words, 2), 0u);
    EXPECT_EQ(read(longs), std::uint64_t{5} << 40);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(MemoryOperationTest, WaitsForAnotherStream) {
    auto flag = zeros<Word>(1);
    auto result = zeros<Word>(1);
    wait_value(stream, flag, WaitCondition::greater_or_equal, 2);
    fill(stream, result, 7);
    write_value(other, flag, 1);
    other.synchronize();
    EXPECT_FALSE(is_done(stream));
    EXPECT_EQ(read(result), 0u);
    write_value(other, flag, 3);
    stream.synchronize();
    EXPECT_EQ(read(result), 7u);
}

TEST_F(MemoryOperationTest, WaitsForTheHost) {
    LegacyPinnedMemoryResource pinned;
    auto flag = pinned.allocate<std::uint64_t>(stream, 1);
    std::uint64_t& word = flag.span().front();
    std::atomic_ref(word).store(0);
    wait_value(stream, flag, WaitCondition::equal, 4);
    EXPECT_FALSE(is_done(stream));
    std::atomic_ref(word).store(4);
    stream.synchronize();
    wait_value(stream, word, WaitCondition::bitwise_and, 6);  // a variable in pinned memory
    stream.synchronize();
}

TEST_F(MemoryOperationTest, HasFourConditions) {
    auto flag = zeros<Word>(1);
    const auto check_wait = [&](WaitCondition condition, Word value, Word satisfying) {
        write_value(other, flag, 5);
        other.synchronize();
        wait_value(stream, flag, condition, value);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        EXPECT_FALSE(is_done(stream)) << value;
        write_value(other, flag, satisfying);
        stream.synchronize();
    };
    check_wait(WaitCondition::greater_or_equal, 6, 6);
    check_wait(WaitCondition::equal, 4, 4);
    check_wait(WaitCondition::bitwise_and, 2, 2);
    check_wait(WaitCondition::bitwise_nor, ~Word{5}, 0);
    write_value(stream, flag, 5);
    wait_value(stream, flag, WaitCondition::greater_or_equal, 0xfffffff0);  // the difference wraps around
    wait_value(stream, flag, WaitCondition::equal, 5);
    wait_value(stream, flag, WaitCondition::bitwise_and, 4);
    wait_value(stream, flag, WaitCondition::bitwise_nor, 0xfffffff8);
    stream.synchronize();
}

TEST_F(MemoryOperationTest, SubmitsABatchInOneCall) {
    auto words = zeros<Word>(2);
    auto total = zeros<std::uint64_t>(1);
    layers::faults::start();
    memory_operation_batch(
        stream, {MemoryOperation::wait(words.first(1), WaitCondition::equal, 9), MemoryOperation::write(words.last(1), 8),
                 MemoryOperation::barrier(), MemoryOperation::write(total, 6)});
    EXPECT_EQ(layers::faults::calls("cuStreamBatchMemOp"), 1u);
    layers::faults::stop();
    EXPECT_EQ(read(words, 1), 0u) << "the batch is in order";
    write_value(other, words.first(1), 9);
    stream.synchronize();
    EXPECT_EQ(read(words, 1), 8u);
    EXPECT_EQ(read(total), 6u);
    memory_barrier(stream);
    memory_barrier(stream, MemoryBarrierScope::device);
    memory_operation_batch(stream, {});
    stream.synchronize();
}

TEST_F(MemoryOperationTest, DescribesOperations) {
    auto words = zeros<Word>(2);
    const auto write = MemoryOperation::write(words.last(1), -1);
    EXPECT_EQ(write.type(), driver::CU_STREAM_MEM_OP_WRITE_VALUE_32);
    EXPECT_EQ(write.address(), words.native_handle() + 4);
    EXPECT_EQ(write.value(), 0xffffffffu);
    auto longs = zeros<std::uint64_t>(1);
    const auto& constant = longs;
    const auto wait = MemoryOperation::wait(constant, WaitCondition::bitwise_nor, 3, {.flush_remote_writes = true});
    EXPECT_EQ(wait.type(), driver::CU_STREAM_MEM_OP_WAIT_VALUE_64);
    EXPECT_EQ(wait.native().waitValue.flags, 3u | driver::CU_STREAM_WAIT_VALUE_FLUSH);
    EXPECT_EQ(wait.value(), 3u);
    EXPECT_EQ(MemoryOperation::barrier(MemoryBarrierScope::device).native().memoryBarrier.flags, 1u);
    EXPECT_EQ(MemoryOperation::flush_remote_writes().address(), 0u);
    EXPECT_EQ(MemoryOperation::from_native(wait.native()).address(), longs.native_handle());
}

TEST_F(MemoryOperationTest, RejectsMemoryThatIsNotOneElement) {
    auto words = zeros<Word>(8);
    expect_misuse([&] { write_value(stream, words, 1); }, "1 element", "8 elements", "subspan(i, 1)");
    expect_misuse([&] { write_value(stream, words.first(0), 1); }, "0 elements");
    expect_misuse([&] { wait_value(stream, words, WaitCondition::equal, 1); }, "8 elements");
    const std::span misaligned(reinterpret_cast<std::uint64_t*>(words.native_handle() + 4), 1);
    expect_misuse([&] { write_value(stream, misaligned, 1); }, "multiple of 8", "4 bytes past");
    expect_misuse([&] { wait_value(stream, words.first(1), static_cast<WaitCondition>(4), 1); }, "WaitCondition 4",
                  "bitwise_nor");
    const std::vector<MemoryOperation> many(257, MemoryOperation::barrier());
    expect_misuse([&] { memory_operation_batch(stream, many); }, "257", "limit of 256");
    Stream moved = std::move(stream);
    EXPECT_THROW(write_value(stream, words.first(1), 1), std::invalid_argument) << "the stream was moved from";
    EXPECT_THROW(memory_operation_batch(stream, {}), std::invalid_argument);
    words.close(moved);
    EXPECT_THROW(write_value(moved, words, 1), std::invalid_argument) << "the buffer is closed";
}

TEST_F(MemoryOperationTest, DescribesMemoryThatTheDriverRejects) {
    Word pageable = 0;
    auto words = zeros<Word>(2);
    EXPECT_THAT(message_of<Error>([&] { write_value(stream, pageable, 1); }),
                AllOf(HasSubstr("CUDA_ERROR_INVALID_VALUE"), HasSubstr("4 bytes at 0x"), HasSubstr("pageable host memory")));
    EXPECT_THAT(
        message_of<Error>([&] {
            memory_operation_batch(stream, {MemoryOperation::write(words.first(1), 5), MemoryOperation::write(pageable, 5)});
        }),
        HasSubstr("operation 1 of 2"));
    auto managed = ManagedMemoryResource().allocate<Word>(stream, 1);
    EXPECT_THAT(message_of<Error>([&] { wait_value(stream, managed, WaitCondition::equal, 1); }), HasSubstr("managed memory"));
    stream.synchronize();
    EXPECT_EQ(read(words), 0u) << "no operation was submitted";
}

TEST_F(MemoryOperationTest, DescribesMemoryOfAPool) {
    auto words = zeros<Word>(1);
    auto pooled = device.allocate<Word>(stream, 1);
    const auto names_pool = AllOf(HasSubstr("CUDA_ERROR_INVALID_VALUE"), HasSubstr("4 bytes at 0x"),
                                  HasSubstr("device memory of a pool"), HasSubstr("LegacyPinnedMemoryResource"));
    EXPECT_THAT(message_of<Error>([&] { write_value(stream, pooled, 1); }), names_pool);
    EXPECT_THAT(message_of<Error>([&] { wait_value(stream, pooled, WaitCondition::equal, 1); }), names_pool);
    EXPECT_THAT(message_of<Error>([&] {
                    memory_operation_batch(stream, {MemoryOperation::write(words, 5), MemoryOperation::write(pooled, 5)});
                }),
                AllOf(names_pool, HasSubstr("operation 1 of 2")));
    auto pinned = PinnedMemoryResource().allocate<Word>(stream, 1);
    EXPECT_THAT(message_of<Error>([&] { write_value(stream, pinned, 1); }), HasSubstr("pinned memory of a pool"));
    stream.synchronize();
    EXPECT_EQ(read(words), 0u) << "no operation was submitted";
}

TEST_F(MemoryOperationTest, UsesVirtualMemory) {
    auto flag = VirtualMemoryResource(device).allocate<Word>(stream, 1);
    write_value(stream, flag, 6);
    wait_value(stream, flag, WaitCondition::equal, 6);
    stream.synchronize();
    EXPECT_EQ(read(flag), 6u);
}

TEST_F(MemoryOperationTest, NamesTheAttributeThatADeviceLacks) {
    auto words = zeros<Word>(1);
    auto longs = zeros<std::uint64_t>(1);
    EXPECT_THAT(message_of<Error>([&] { flush_remote_writes(stream); }),
                AllOf(HasSubstr("CUDA_ERROR_NOT_SUPPORTED"), HasSubstr("CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES"),
                      HasSubstr("device 0")));
    EXPECT_THAT(message_of<Error>([&] { wait_value(stream, words, WaitCondition::equal, 1, {.flush_remote_writes = true}); }),
                HasSubstr("CAN_FLUSH_REMOTE_WRITES"));
    layers::faults::start();
    {
        const MissingAttribute missing(driver::CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS);
        layers::faults::fail("cuStreamWriteValue64", driver::CUDA_ERROR_NOT_SUPPORTED);
        EXPECT_THAT(message_of<Error>([&] { write_value(stream, longs, 1); }),
                    HasSubstr("8 bytes needs CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS"));
    }
    {
        const MissingAttribute missing(driver::CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR);
        layers::faults::fail("cuStreamBatchMemOp", driver::CUDA_ERROR_NOT_SUPPORTED);
        EXPECT_THAT(message_of<Error>([&] {
                        memory_operation_batch(stream, {MemoryOperation::wait(words, WaitCondition::bitwise_and, 1),
                                                        MemoryOperation::wait(words, WaitCondition::bitwise_nor, 1)});
                    }),
                    AllOf(HasSubstr("operation 1 of 2"), HasSubstr("CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR")));
    }
    layers::faults::stop();
}

TEST_F(MemoryOperationTest, EndsAWaitWhenTheContextEnds) {
    auto flag = zeros<Word>(1);
    wait_value(stream, flag, WaitCondition::equal, 1);
    EXPECT_FALSE(is_done(stream));
    const Stream on_other_device(Device(1));
    Event blocked = stream.record();
    on_other_device.wait(blocked);
    EXPECT_FALSE(is_done(on_other_device));
    check(driver::cuDevicePrimaryCtxReset(device.native_handle()));
    on_other_device.synchronize();
    (void)blocked.release();  // the driver has destroyed it and the objects below
    (void)flag.release();
    (void)stream.release();
    (void)const_cast<Stream&>(other).release();
}

TEST_F(MemoryOperationTest, IsCapturedAndRetainsBuffers) {
    auto result = zeros<Word>(1);
    const VirtualMemoryResource memory(device);
    const std::size_t free = device.memory_info().free;
    GraphBuilder builder(device);
    builder.begin_building();
    {
        auto flag = memory.allocate<Word>(stream, 1);
        write_value(builder, flag, 4);
        wait_value(builder, flag, WaitCondition::equal, 4);
        memory_operation_batch(builder, {MemoryOperation::barrier(), MemoryOperation::write(result, 3)});
    }
    const Graph graph = builder.end_building().complete();
    stream.synchronize();
    EXPECT_LT(device.memory_info().free, free);
    EXPECT_EQ(read(result), 0u);
    const auto nodes = builder.graph_definition().nodes();
    ASSERT_THAT(nodes, SizeIs(3));
    EXPECT_EQ(nodes[1].as<MemoryOperationNode>().operations().at(0).value(), 4u);
    EXPECT_THAT(nodes[2].as<MemoryOperationNode>().operations(), SizeIs(2));
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(read(result), 3u);
}

TEST_F(MemoryOperationTest, ReportsAFailureOfEachCall) {
    auto words = zeros<Word>(2);
    auto longs = zeros<std::uint64_t>(1);
    EXPECT_GE(sweep([&] {
                  write_value(stream, words.first(1), 1);
                  wait_value(stream, words.first(1), WaitCondition::equal, 1);
                  write_value(stream, longs, 1);
                  wait_value(stream, longs, WaitCondition::equal, 1);
                  memory_operation_batch(stream, {MemoryOperation::barrier(), MemoryOperation::write(words.last(1), 2)});
                  stream.synchronize();
              }),
              6u);
}

}  // namespace
}  // namespace cubind::testing
