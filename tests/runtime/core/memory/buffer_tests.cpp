// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <unordered_set>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class BufferTest : public MemoryTest {};

static_assert(!std::is_copy_constructible_v<Buffer> && std::is_nothrow_move_constructible_v<Buffer>);

TEST_F(BufferTest, OwnsItsBytesAndFreesThem) {
    {
        const Buffer buffer = device.allocate(stream, 1000);
        EXPECT_NE(buffer.native_handle(), 0u);
        EXPECT_EQ(buffer.size(), 1000u);
        EXPECT_EQ(buffer.count<float>(), 250u);
        const std::span<float> elements = buffer.span<float>();
        EXPECT_EQ(reinterpret_cast<driver::CUdeviceptr>(elements.data()), buffer.native_handle());
        EXPECT_EQ(elements.size(), 250u);
        EXPECT_EQ(buffer.device(), device);
        EXPECT_TRUE(buffer.is_device_accessible());
        EXPECT_FALSE(buffer.is_host_accessible());
        EXPECT_FALSE(buffer.is_managed());
        EXPECT_EQ(buffer.memory_resource(), device.memory_resource());
        EXPECT_EQ(buffer.owner(), nullptr);
        EXPECT_FALSE(buffer.is_closed());
        EXPECT_EQ(used(), 1000u);
    }
    stream.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(BufferTest, RejectsPartialAndMisalignedElements) {
    const Buffer buffer = device.allocate(stream, 10);
    const std::string message = message_of<std::invalid_argument>([&] { (void)buffer.span<float>(); });
    EXPECT_THAT(message, HasSubstr("10 bytes does not hold a whole number of elements of 4 bytes"));
    EXPECT_THROW((void)buffer.count<double>(), std::invalid_argument);
    EXPECT_EQ(buffer.count<char>(), 10u);
    const Buffer shifted = Buffer::view_of(buffer.native_handle() + 1, 8);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)shifted.span<float>(); }), HasSubstr("multiples of 4"));
}

TEST_F(BufferTest, HasNoMemoryForZeroBytes) {
    Buffer buffer = device.allocate(stream, 0);
    EXPECT_EQ(buffer.native_handle(), 0u);
    EXPECT_EQ(buffer.size(), 0u);
    EXPECT_TRUE(buffer.span<double>().empty());
    EXPECT_EQ(buffer.memory_resource(), device.memory_resource());
    buffer.copy_from(stream, std::span<const int>());
    buffer.fill(stream, 1);
    buffer.close();
}

TEST_F(BufferTest, ReportsTheFreeMemoryIfThereIsTooLittle) {
    const std::string message = message_of<OutOfMemory>([&] { (void)device.allocate(stream, std::size_t{1} << 40); });
    EXPECT_THAT(message, HasSubstr("1099511627776 bytes were requested; the pool has 0 bytes"));
    EXPECT_THAT(message, HasSubstr("device 0 has 1073741824 of 1073741824 bytes free"));
    EXPECT_THROW((void)device.allocate(stream, ~std::size_t{0}), OutOfMemory);
    EXPECT_EQ(used(), 0u);
}

TEST_F(BufferTest, RejectsUseAfterAMove) {
    Buffer first = device.allocate(stream, 16);
    Buffer second = std::move(first);
    EXPECT_EQ(second.size(), 16u);
    EXPECT_TRUE(first.is_closed());
    EXPECT_THROW((void)first.native_handle(), std::invalid_argument);
    EXPECT_THROW((void)first.size(), std::invalid_argument);
    EXPECT_THROW((void)first.span<int>(), std::invalid_argument);
    EXPECT_THROW((void)first.device(), std::invalid_argument);
    EXPECT_THROW((void)first.memory_resource(), std::invalid_argument);
    EXPECT_THROW((void)first.owner(), std::invalid_argument);
    EXPECT_THROW((void)first.is_device_accessible(), std::invalid_argument);
    EXPECT_THROW((void)first.is_host_accessible(), std::invalid_argument);
    EXPECT_THROW((void)first.is_managed(), std::invalid_argument);
    EXPECT_THROW(first.set_deallocation_stream(stream), std::invalid_argument);
    EXPECT_THROW(first.fill(stream, 0), std::invalid_argument);
    EXPECT_THROW(first.copy_from(stream, second), std::invalid_argument);
    EXPECT_THROW(second.copy_from(stream, first), std::invalid_argument);
    EXPECT_THROW((void)detail::share(first), std::invalid_argument);
    first.close();
    EXPECT_EQ(first.release(), 0u);
    first = std::move(second);
    EXPECT_EQ(first.size(), 16u);
    EXPECT_EQ(used(), 16u);
    first = device.allocate(stream, 32);
    stream.synchronize();
    EXPECT_EQ(used(), 32u) << "the assignment frees the previous memory";
}

TEST_F(BufferTest, IsEmptyByDefault) {
    Buffer buffer;
    EXPECT_TRUE(buffer.is_closed());
    EXPECT_THROW((void)buffer.native_handle(), std::invalid_argument);
    EXPECT_THROW((void)buffer.size(), std::invalid_argument);
    EXPECT_EQ(buffer.release(), 0u);
    buffer.close();
    buffer = device.allocate(stream, 16);
    EXPECT_FALSE(buffer.is_closed());
    EXPECT_EQ(buffer.size(), 16u);
}

TEST_F(BufferTest, IsEqualToAViewOfTheSameBytes) {
    const Buffer buffer = device.allocate(stream, 16);
    EXPECT_EQ(buffer, Buffer::view_of(buffer.native_handle(), 16));
    EXPECT_FALSE(buffer == Buffer::view_of(buffer.native_handle(), 8));
    EXPECT_FALSE(buffer == Buffer());
    EXPECT_EQ(Buffer(), Buffer());
    std::unordered_set<Buffer> set;
    set.insert(Buffer::view_of(buffer.native_handle(), 16));
    set.insert(Buffer());
    EXPECT_EQ(set.count(buffer), 1u);
}

TEST_F(BufferTest, ClosesOnce) {
    Buffer buffer = device.allocate(stream, 16);
    buffer.close();
    EXPECT_TRUE(buffer.is_closed());
    buffer.close();
    buffer.close(stream);
    EXPECT_THROW((void)buffer.size(), std::invalid_argument);
    stream.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(BufferTest, FreesItsMemoryInStreamOrder) {
    const Stream other(device);
    Buffer first = device.allocate(stream, 16);
    Buffer second = device.allocate(stream, 32);
    Buffer third = device.allocate(stream, 64);
    {
        Gate gate(stream);
        first.close();
        second.close(other);
        third.set_deallocation_stream(other);
        third.close();
        other.synchronize();
        EXPECT_EQ(used(), 16u) << "the first free waits for the gate";
    }
    EXPECT_EQ(used(), 0u);
}

TEST_F(BufferTest, RetainsItsStream) {
    auto owned = std::make_unique<Stream>(device);
    Buffer buffer = device.allocate(*owned, 16);
    owned.reset();
    buffer.close();
    device.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(BufferTest, RejectsClosedStreams) {
    Stream closed(device);
    closed.close();
    EXPECT_THROW((void)device.allocate(closed, 16), std::invalid_argument);
    EXPECT_THROW((void)device.allocate(closed, 0), std::invalid_argument);
    Buffer buffer = device.allocate(stream, 16);
    EXPECT_THROW(buffer.set_deallocation_stream(closed), std::invalid_argument);
    EXPECT_THROW(buffer.close(closed), std::invalid_argument);
    EXPECT_FALSE(buffer.is_closed());
}

TEST_F(BufferTest, OwnsOrViewsForeignMemory) {
    const auto recording = std::make_shared<RecordingResource>();
    const MemoryResource resource(recording);
    {
        const Buffer owned = Buffer::from_native_handle(recording->allocate(stream, 8, 256), 8, resource, stream);
        EXPECT_EQ(owned.memory_resource(), resource);
        EXPECT_FALSE(owned.is_device_accessible());
        EXPECT_TRUE(owned.is_host_accessible());
    }
    EXPECT_THAT(recording->streams, ElementsAre(StreamRef(stream)));
    auto owner = std::make_shared<std::vector<int>>(4);
    {
        const auto address = reinterpret_cast<driver::CUdeviceptr>(owner->data());
        const Buffer retaining = Buffer::view_of(address, 16, owner);
        EXPECT_EQ(owner.use_count(), 2);
        EXPECT_EQ(retaining.owner(), owner);
        EXPECT_EQ(retaining.memory_resource(), std::nullopt);
        EXPECT_TRUE(retaining.is_host_accessible());
        EXPECT_FALSE(retaining.is_device_accessible());
        EXPECT_EQ(retaining.device(), std::nullopt);
    }
    EXPECT_EQ(owner.use_count(), 1);
    const Buffer buffer = device.allocate(stream, 16);
    const Buffer view = Buffer::view_of(buffer.native_handle(), 16);
    EXPECT_EQ(view.device(), device);
    EXPECT_TRUE(view.is_device_accessible());
    EXPECT_FALSE(view.is_host_accessible());
    EXPECT_FALSE(view.is_managed());
    EXPECT_THROW((void)Buffer::view_of(0, 16), std::invalid_argument);
    EXPECT_EQ(Buffer::view_of(0, 0).size(), 0u);
}

TEST_F(BufferTest, ReleasesItsMemory) {
    Buffer buffer = device.allocate(stream, 16);
    const driver::CUdeviceptr pointer = buffer.native_handle();
    EXPECT_EQ(buffer.release(), pointer);
    EXPECT_TRUE(buffer.is_closed());
    EXPECT_EQ(used(), 16u);
    Buffer shared = Buffer::from_native_handle(pointer, 16, device.memory_resource(), stream);
    auto retained = detail::share(shared);
    EXPECT_EQ(shared.release(), pointer);
    retained.reset();
    stream.synchronize();
    EXPECT_EQ(used(), 16u);
    check(driver::cuMemFreeAsync(pointer, stream.native_handle()));
}

}  // namespace
}  // namespace cubind::testing
