// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/launch/global.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <string>
#include <unordered_set>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class TypedBufferTest : public MemoryTest {
protected:
    std::vector<int> values{1, 2, 3, 4};
};

static_assert(!std::is_copy_constructible_v<TypedBuffer<int>> && std::is_nothrow_move_constructible_v<TypedBuffer<int>>);
static_assert(std::is_nothrow_default_constructible_v<TypedBuffer<int>>);
static_assert(!std::is_convertible_v<TypedBuffer<int>, Buffer> && !std::is_constructible_v<Buffer, TypedBuffer<int>>);
static_assert(!std::is_convertible_v<Buffer, TypedBuffer<int>> && std::is_constructible_v<TypedBuffer<int>, Buffer>);
static_assert(!std::is_constructible_v<TypedBuffer<int>, Buffer&> &&
              !std::is_constructible_v<TypedBuffer<int>, TypedBuffer<float>>);

TEST_F(TypedBufferTest, AllocatesElements) {
    const TypedBuffer<float> floats = device.allocate<float>(stream, 10);
    EXPECT_EQ(floats.count(), 10u);
    EXPECT_EQ(floats.size_bytes(), 40u);
    EXPECT_NE(floats.native_handle(), 0u);
    EXPECT_EQ(floats.bytes().size(), 40u);
    EXPECT_EQ(floats.bytes().device(), device);
    EXPECT_EQ(floats.kernel_argument(), floats.span().data());
    EXPECT_EQ(used(), 40u);
    EXPECT_EQ(device.memory_resource().allocate<double>(stream, 3).size_bytes(), 24u);
    EXPECT_EQ(DeviceMemoryResource(device).allocate<double>(stream, 3).count(), 3u);
}

TEST_F(TypedBufferTest, HasNoMemoryForNoElements) {
    TypedBuffer<double> none = device.allocate<double>(stream, 0);
    EXPECT_EQ(none.native_handle(), 0u);
    EXPECT_EQ(none.count(), 0u);
    EXPECT_TRUE(none.span().empty());
    EXPECT_TRUE(none.first(0).empty());
    none.fill(stream, std::byte{0});
    none.copy_from(stream, std::span<const double>());
}

TEST_F(TypedBufferTest, RejectsTooManyElements) {
    constexpr std::size_t too_many = ~std::size_t{0} / sizeof(double) + 1;
    const std::string message = message_of<std::invalid_argument>([&] { (void)device.allocate<double>(stream, too_many); });
    EXPECT_THAT(message, AllOf(HasSubstr("2305843009213693952 elements of 8 bytes"), HasSubstr("18446744073709551615")));
    EXPECT_THROW((void)device.allocate<double>(stream, too_many - 1), OutOfMemory);
}

TEST_F(TypedBufferTest, ReturnsPartsWithinItsElements) {
    const TypedBuffer<int> ints = device.allocate<int>(stream, 4);
    const int* const address = ints.span().data();
    EXPECT_EQ(ints.first(2).data(), address);
    EXPECT_EQ(ints.first(2).size(), 2u);
    EXPECT_EQ(ints.last(3).data(), address + 1);
    EXPECT_EQ(ints.subspan(1, 2).data(), address + 1);
    EXPECT_EQ(ints.subspan(1, 2).size(), 2u);
    EXPECT_EQ(ints.subspan(3).size(), 1u);
    EXPECT_TRUE(ints.subspan(4).empty());
    const auto message = [&](auto part) { return message_of<std::invalid_argument>(part); };
    EXPECT_THAT(message([&] { (void)ints.first(5); }), AllOf(HasSubstr("first"), HasSubstr("5 elements"), HasSubstr("has 4")));
    EXPECT_THAT(message([&] { (void)ints.last(6); }), AllOf(HasSubstr("last"), HasSubstr("6 elements"), HasSubstr("has 4")));
    EXPECT_THAT(message([&] { (void)ints.subspan(3, 2); }), AllOf(HasSubstr("subspan"), HasSubstr("2 elements from element 3")));
    EXPECT_THAT(message([&] { (void)ints.subspan(5); }), HasSubstr("from element 5"));
    EXPECT_THROW((void)ints.subspan(2, ~std::size_t{0}), std::invalid_argument);
}

TEST_F(TypedBufferTest, CopiesAndFillsElements) {
    TypedBuffer<int> ints = device.allocate<int>(stream, 4);
    TypedBuffer<int> others = device.allocate<int>(stream, 4);
    std::vector<int> results(4);
    copy(stream, ints, values);
    copy(stream, others, ints);
    others.copy_to(stream, results);
    stream.synchronize();
    EXPECT_EQ(results, values);
    fill(stream, ints, 7);
    ints.copy_to(stream, results);
    stream.synchronize();
    EXPECT_THAT(results, ::testing::Each(7));
    ints.fill(stream, std::byte{1});
    copy(stream, std::span(results).first(2), ints.last(2));
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(0x01010101, 0x01010101, 7, 7));
    ints.copy_from(stream, others.first(3));
    ints.fill(stream, 5);
    const std::vector<int> too_many(5);
    EXPECT_THROW(copy(stream, ints, too_many), std::invalid_argument);
}

TEST_F(TypedBufferTest, FillsLargeElementsWithBytes) {
    struct Particle {
        double position[3];
        float mass;
    };
    TypedBuffer<Particle> particles = device.allocate<Particle>(stream, 2);
    fill(stream, particles, std::byte{0});
    fill(stream, particles.span(), std::byte{0});
    std::vector<Particle> results(2, {{1, 1, 1}, 1});
    particles.copy_to(stream, results);
    stream.synchronize();
    EXPECT_EQ(results[1].position[2], 0);
    EXPECT_EQ(results[1].mass, 0);
}

TEST_F(TypedBufferTest, CopiesItsBytesToOtherTypes) {
    TypedBuffer<float> floats = device.allocate<float>(stream, 2);
    floats.fill(stream, 1.5f);
    std::vector<unsigned int> bits(2);
    copy(stream, bits, floats.bytes());
    stream.synchronize();
    EXPECT_THAT(bits, ::testing::Each(0x3FC00000u));
}

TEST_F(TypedBufferTest, ConvertsFromAndToBytes) {
    Buffer bytes = device.allocate(stream, 12);
    const driver::CUdeviceptr address = bytes.native_handle();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { TypedBuffer<double> wrong(std::move(bytes)); }),
                AllOf(HasSubstr("12 bytes"), HasSubstr("8 bytes each"), HasSubstr("4 bytes remain")));
    EXPECT_FALSE(bytes.is_closed()) << "a rejected buffer still owns its memory";
    TypedBuffer<int> ints(std::move(bytes));
    EXPECT_TRUE(bytes.is_closed());
    EXPECT_EQ(ints.count(), 3u);
    bytes = std::move(ints).to_bytes();
    EXPECT_TRUE(ints.is_closed());
    EXPECT_EQ(bytes.native_handle(), address);
    EXPECT_EQ(bytes.memory_resource(), device.memory_resource());
    Buffer shifted = Buffer::view_of(address + 2, 8);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { TypedBuffer<int> wrong(std::move(shifted)); }),
                HasSubstr("multiples of 4"));
    EXPECT_THROW(TypedBuffer<int> empty{Buffer()}, std::invalid_argument);
}

TEST_F(TypedBufferTest, RejectsUseWhenClosed) {
    TypedBuffer<int> ints = device.allocate<int>(stream, 4);
    TypedBuffer<int> moved = std::move(ints);
    EXPECT_TRUE(ints.is_closed());
    EXPECT_THROW((void)ints.native_handle(), std::invalid_argument);
    EXPECT_THROW((void)ints.count(), std::invalid_argument);
    EXPECT_THROW((void)ints.size_bytes(), std::invalid_argument);
    EXPECT_THROW((void)ints.span(), std::invalid_argument);
    EXPECT_THROW((void)ints.first(0), std::invalid_argument);
    EXPECT_THROW((void)ints.kernel_argument(), std::invalid_argument);
    EXPECT_THROW(ints.fill(stream, 1), std::invalid_argument);
    EXPECT_THROW(copy(stream, ints, moved), std::invalid_argument);
    EXPECT_THROW(copy(stream, moved, ints), std::invalid_argument);
    EXPECT_THROW(ints.set_deallocation_stream(stream), std::invalid_argument);
    EXPECT_EQ(ints.release(), 0u);
    ints.close();
    ints = std::move(moved);
    EXPECT_EQ(ints.count(), 4u);
    TypedBuffer<int> empty;
    EXPECT_TRUE(empty.is_closed());
    EXPECT_THROW((void)empty.count(), std::invalid_argument);
    EXPECT_EQ(empty, moved);
    empty = device.allocate<int>(stream, 1);
    EXPECT_FALSE(empty.is_closed());
}

TEST_F(TypedBufferTest, FreesItsMemoryInStreamOrder) {
    const Stream other(device);
    TypedBuffer<int> first = device.allocate<int>(stream, 4);
    TypedBuffer<int> second = device.allocate<int>(stream, 8);
    TypedBuffer<int> third = device.allocate<int>(stream, 16);
    const TypedBuffer<int> fourth = device.allocate<int>(stream, 32);
    {
        Gate gate(stream);
        first.close();
        second.close(other);
        third.set_deallocation_stream(other);
        third.close();
        other.synchronize();
        EXPECT_EQ(used(), 16u + 128u);
    }
    EXPECT_EQ(used(), 128u);
}

TEST_F(TypedBufferTest, IsRetainedByCapturedWork) {
    {
        GraphBuilder builder(device);
        builder.begin_building();
        {
            TypedBuffer<int> ints = device.allocate<int>(stream, 4);
            fill(builder, ints, 1);
            EXPECT_EQ(share(ints), share(ints)) << "argument-dependent lookup finds it, as in launch()";
        }
        stream.synchronize();
        EXPECT_EQ(used(), 16u);
        builder.end_building();
    }
    device.synchronize();
    EXPECT_EQ(used(), 0u);
}

template <class Memory, class Parameter>
inline constexpr bool is_accepted = std::is_convertible_v<const Memory&, detail::PointerArgument<Parameter>>;
static_assert(is_accepted<TypedBuffer<float>, float> && is_accepted<TypedBuffer<float>, const float> &&
              is_accepted<TypedBuffer<float>, void>);
static_assert(!is_accepted<TypedBuffer<int>, float> && !is_accepted<TypedBuffer<int>, const float>);
static_assert(is_accepted<Buffer, float> && is_accepted<Global<float[4]>, const float> && !is_accepted<Global<int>, float>);

TEST_F(TypedBufferTest, IsAPointerForAKernel) {
    const TypedBuffer<float> floats = device.allocate<float>(stream, 4);
    EXPECT_EQ(detail::KernelArgument<TypedBuffer<float>>::pass(floats), floats.span().data());
    EXPECT_EQ(detail::PointerArgument<const float>(floats).value(), floats.span().data());
}

TEST_F(TypedBufferTest, IsHashable) {
    std::unordered_set<TypedBuffer<int>> set;
    set.insert(device.allocate<int>(stream, 4));
    EXPECT_EQ(set.count(device.allocate<int>(stream, 4)), 0u);
    EXPECT_EQ(set.count(TypedBuffer<int>(Buffer::view_of(set.begin()->native_handle(), 16))), 1u);
}

}  // namespace
}  // namespace cubind::testing
