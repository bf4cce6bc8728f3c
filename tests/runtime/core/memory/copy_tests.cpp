// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <array>
#include <deque>
#include <list>
#include <numeric>
#include <string>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class CopyTest : public MemoryTest {
protected:
    std::vector<int> values{1, 2, 3, 4};
};

template <class Destination, class Source>
concept CanCopy = requires(StreamRef stream, Destination destination, Source source) {
    copy(stream, std::forward<Destination>(destination), std::forward<Source>(source));
};
static_assert(CanCopy<Buffer&, const std::vector<int>&> && CanCopy<std::span<int>, Buffer&>);
static_assert(CanCopy<Buffer&, const int&> && CanCopy<int&, Buffer&>);
static_assert(!CanCopy<Buffer&, std::list<int>&> && !CanCopy<Buffer&, std::vector<bool>&> && !CanCopy<Buffer&, std::nullptr_t&>);
static_assert(!CanCopy<Buffer&, StreamRef&> && !CanCopy<Buffer&, std::deque<int>&> && !CanCopy<Buffer&, Stream&>);

TEST_F(CopyTest, CopiesInAllDirections) {
    Buffer here = device.allocate(stream, 16);
    Buffer again = device.allocate(stream, 16);
    Buffer there = Device(1).allocate(Stream(Device(1)), 16);
    std::array<int, 4> results{};
    copy(stream, here, values);
    copy(stream, there, here);
    copy(stream, again, there);
    copy(stream, results, again);
    stream.synchronize();
    EXPECT_THAT(results, ::testing::ElementsAreArray(values));
    std::vector<int> host(4);
    copy(stream, host, values);
    stream.synchronize();
    EXPECT_EQ(host, values);
}

TEST_F(CopyTest, CopiesWithAnyCurrentContext) {
    const Stream on_other(Device(1));
    Buffer there = Device(1).allocate(on_other, 16);
    for (const ContextRef current : {ContextRef(), Device(0).primary_context(), Device(1).primary_context()}) {
        current.set_current();
        std::vector<int> results(4);
        fill(on_other, there, 0);
        copy(on_other, there, values);
        copy(on_other, results, there);
        on_other.synchronize();
        EXPECT_EQ(results, values);
        copy(stream, results, there);  // in a stream of another device
        stream.synchronize();
        const driver::CUstream foreign = on_other.native_handle();
        copy(foreign, there, results);
        on_other.synchronize();
        EXPECT_EQ(ContextRef::current(), current);
    }
}

TEST_F(CopyTest, CopiesBetweenDevicesWithoutAccess) {
    Buffer here = device.allocate(stream, 16);
    copy(stream, here, values);
    stream.synchronize();
    const Stream on_other(Device(1));
    for (const StreamRef each : {StreamRef(stream), StreamRef(on_other)}) {
        Buffer there = Device(1).allocate(on_other, 16);
        on_other.synchronize();
        std::vector<int> results(4);
        copy(each, there, here);
        each.synchronize();
        copy(on_other, results, there);
        on_other.synchronize();
        EXPECT_EQ(results, values);
    }
}

TEST_F(CopyTest, CapturesCopiesBetweenDevicesWithAccess) {
    const Buffer here = device.allocate(stream, 16);
    const Stream on_other(Device(1));
    Buffer there = Device(1).allocate(on_other, 16);
    const auto captured = [&] {
        GraphBuilder builder{Device(1)};
        builder.begin_building();
        copy(builder, there, here);
        return builder.end_building().complete();
    };
    EXPECT_THAT(message_of<Error>([&] { (void)captured(); }),
                AllOf(HasSubstr("the source"),
                      HasSubstr("which device 1 cannot access without allow_peer_access(Device(1)) of its pool")));
    DeviceMemoryResource(device).allow_peer_access(Device(1));
    captured().launch(on_other);
    on_other.synchronize();
}

TEST_F(CopyTest, RejectsFillsOfInaccessibleMemory) {
    const Stream on_other(Device(1));
    Buffer here = device.allocate(stream, 16);
    EXPECT_THAT(message_of<Error>([&] { fill(on_other, here, 1); }),
                AllOf(HasSubstr("device memory of device 0"),
                      HasSubstr("which device 1 cannot access without allow_peer_access(Device(1))")));
    DeviceMemoryResource(device).allow_peer_access(Device(1));
    fill(on_other, here, 1);
    on_other.synchronize();
}

TEST_F(CopyTest, CopiesRangesOfEachKind) {
    Buffer buffer = device.allocate(stream, 16);
    int plain[4] = {5, 6, 7, 8};
    copy(stream, buffer, plain);
    std::vector<int> results(4);
    copy(stream, results, std::span<const int>(buffer.span<int>()));
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(5, 6, 7, 8));
    copy(stream, buffer.span<int>().subspan(1, 2), std::span<const int>(values).first(2));
    buffer.copy_to(stream, results);
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(5, 1, 2, 8));
    const std::string text = "0123456789abcdef";
    buffer.copy_from(stream, text);
    std::string read(16, ' ');
    buffer.copy_to(stream, read);
    stream.synchronize();
    EXPECT_EQ(read, text);
    copy(stream, buffer, std::as_bytes(std::span(values)));
    copy(stream, std::as_writable_bytes(std::span(results)), buffer);
    stream.synchronize();
    EXPECT_EQ(results, values);
}

TEST_F(CopyTest, CopiesSingleValues) {
    struct Settings {
        float scale;
        int count;
        bool operator==(const Settings&) const = default;
    };
    Buffer buffer = device.allocate(stream, sizeof(Settings));
    const Settings settings{1.5f, 3};
    Settings result{};
    copy(stream, buffer, settings);
    copy(stream, result, buffer);
    stream.synchronize();
    EXPECT_EQ(result, settings);
    TypedBuffer<int> ints = device.allocate<int>(stream, 4);
    copy(stream, ints, values);
    int first = 0;
    copy(stream, first, ints.first(1));
    const int second = 9;
    copy(stream, ints.subspan(1), second);
    copy(stream, values, ints);
    stream.synchronize();
    EXPECT_EQ(first, 1);
    EXPECT_THAT(values, ElementsAre(1, 9, 3, 4));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { copy(stream, first, ints); }),
                HasSubstr("16 bytes to a destination of 4 bytes"));
}

TEST_F(CopyTest, CopiesInStreamOrder) {
    Buffer buffer = device.allocate(stream, 16);
    Buffer pinned = LegacyPinnedMemoryResource().allocate(stream, 16);
    const std::span<int> elements = pinned.span<int>();
    std::iota(elements.begin(), elements.end(), 10);
    {
        Gate gate(stream);
        copy(stream, buffer, pinned);
        elements[0] = 99;
    }
    copy(stream, values, buffer);
    stream.synchronize();
    EXPECT_THAT(values, ElementsAre(99, 11, 12, 13)) << "pinned memory is read when the copy runs";
}

TEST_F(CopyTest, RejectsASmallerDestination) {
    Buffer small = device.allocate(stream, 8);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { copy(stream, small, values); }),
                HasSubstr("16 bytes to a destination of 8 bytes"));
    Buffer large = device.allocate(stream, 32);
    copy(stream, large, values);
    EXPECT_THROW(copy(stream, values, large), std::invalid_argument);
    EXPECT_THROW(copy(stream, std::span<int>(), large), std::invalid_argument);
}

TEST_F(CopyTest, IgnoresZeroBytes) {
    Buffer buffer = device.allocate(stream, 8);
    layers::faults::start();
    copy(stream, buffer, std::vector<int>().empty() ? std::span<const int>() : values);
    const Buffer no_bytes = device.allocate(stream, 0);
    copy(stream, buffer, no_bytes.span<int>());
    EXPECT_EQ(layers::faults::calls("cuMemcpyAsync"), 0u);
    layers::faults::stop();
    Stream closed = std::move(stream);
    EXPECT_THROW(copy(stream, buffer, std::span<const int>()), std::invalid_argument) << "the stream was moved from";
}

TEST_F(CopyTest, DescribesRejectedMemory) {
    Buffer buffer = device.allocate(stream, 16);
    const std::span<int> beyond(buffer.span<int>().data(), 8);
    std::vector<int> results(8);
    const std::string message = message_of<Error>([&] { copy(stream, results, beyond); });
    EXPECT_THAT(message, HasSubstr("cuMemcpyAsync failed with CUDA_ERROR_INVALID_VALUE"));
    EXPECT_THAT(message, HasSubstr("the source, 32 bytes at 0x"));
    EXPECT_THAT(message, HasSubstr("lies in device memory of device 0: 16 bytes at 0x"));
    EXPECT_THAT(message, HasSubstr("the destination, 32 bytes at 0x"));
    EXPECT_THAT(message, HasSubstr("is pageable host memory"));
    EXPECT_THAT(message_of<Error>([&] { copy(device.default_stream(), buffer, values); }), HasSubstr("Device::set_current()"));
}

// ---- filling -------------------------------------------------------------------------------------------------------------

class FillTest : public CopyTest {};

TEST_F(FillTest, WritesPatternsOfEachSize) {
    Buffer buffer = device.allocate(stream, 16);
    std::vector<unsigned int> results(4);
    const auto read = [&] {
        buffer.copy_to(stream, results);
        stream.synchronize();
        return results;
    };
    fill(stream, buffer, std::uint8_t{0xAB});
    EXPECT_THAT(read(), ::testing::Each(0xABABABABu));
    fill(stream, buffer, std::uint16_t{0x1234});
    EXPECT_THAT(read(), ::testing::Each(0x12341234u));
    buffer.fill(stream, 7);
    EXPECT_THAT(read(), ::testing::Each(7u));
    fill(stream, buffer.span<float>().first(2), 1.5f);
    EXPECT_THAT(read(), ElementsAre(0x3FC00000u, 0x3FC00000u, 7u, 7u));
    fill(stream, buffer.span<std::byte>().subspan(13), std::byte{1});
    EXPECT_THAT(read(), ElementsAre(0x3FC00000u, 0x3FC00000u, 7u, 0x01010107u));
}

TEST_F(FillTest, RejectsSizesAndAddressesThatDoNotFit) {
    Buffer buffer = device.allocate(stream, 10);
    const std::string message = message_of<std::invalid_argument>([&] { fill(stream, buffer, 0); });
    EXPECT_THAT(message, HasSubstr("10 bytes with a pattern of 4 bytes: 2 bytes remain"));
    Buffer shifted = Buffer::view_of(buffer.native_handle() + 1, 8);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { fill(stream, shifted, 0); }), HasSubstr("1 bytes past a multiple"));
    EXPECT_THROW(fill(stream, shifted, std::uint16_t{0}), std::invalid_argument);
    fill(stream, shifted, std::uint8_t{0});
    const std::span<int> host(values);
    EXPECT_THAT(message_of<Error>([&] { fill(stream, host, 0); }), HasSubstr("the destination, 16 bytes at 0x"));
    fill(stream, std::span<int>(), 0);
    EXPECT_THAT(message_of<Error>([&] { fill(StreamRef::legacy_default(), buffer, std::uint8_t{0}); }),
                HasSubstr("Device::set_current()"));
}

}  // namespace
}  // namespace cubind::testing
