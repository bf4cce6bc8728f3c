// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>

#include "array_test.hpp"

namespace cubind::testing {
namespace {

class PitchedBufferTest : public ArraysTest {
protected:
    Stream stream{device};
};

TEST_F(PitchedBufferTest, AlignsRowsForTextures) {
    const auto alignment = static_cast<std::size_t>(device.properties().texture_alignment());
    for (const std::size_t width : {1u, 100u, 512u, 513u}) {
        const auto buffer = device.allocate_pitched<unsigned char>(stream, {.width = width, .height = 3, .depth = 2});
        EXPECT_EQ(buffer.native_handle() % alignment, 0u);
        EXPECT_EQ(buffer.pitch(), (width + alignment - 1) / alignment * alignment);
        EXPECT_EQ(buffer.extent(), (Extent3D{width, 3, 2}));
        const driver::CUdeviceptr end = buffer.native_handle() + buffer.pitch() * 6;
        EXPECT_LE(end, buffer.bytes().native_handle() + buffer.bytes().size());
        EXPECT_EQ(reinterpret_cast<driver::CUdeviceptr>(buffer.span().at({.x = 1, .y = 2, .z = 1})),
                  buffer.native_handle() + 5 * buffer.pitch() + 1);
    }
}

// Returns addresses that are as little aligned as MemoryResourceBase allows.
class UnalignedResource : public MemoryResourceBase {
public:
    driver::CUdeviceptr allocate(StreamRef, std::size_t size, std::size_t) override {
        allocated = size;
        return 0x10100;
    }
    void deallocate(StreamRef, driver::CUdeviceptr, std::size_t, std::size_t) override {}
    bool is_device_accessible() const noexcept override { return true; }
    bool is_host_accessible() const noexcept override { return false; }

    std::size_t allocated = 0;
};

TEST_F(PitchedBufferTest, AlignsMemoryOfAnyResource) {
    const auto unaligned = std::make_shared<UnalignedResource>();
    const PitchedBuffer<float> buffer(MemoryResource(unaligned), stream, {.width = 10, .height = 4});
    EXPECT_EQ(buffer.native_handle() % 512, 0u);
    EXPECT_EQ(buffer.bytes().native_handle(), 0x10100u);
    EXPECT_LE(buffer.native_handle() + 4 * buffer.pitch(), 0x10100u + unaligned->allocated);
    PitchedBuffer<float> on_host(LegacyPinnedMemoryResource(), stream, {.width = 10, .height = 4});
    *on_host.span().at({.x = 9, .y = 3}) = 1;
    EXPECT_TRUE(on_host.bytes().is_host_accessible());
}

TEST_F(PitchedBufferTest, RejectsExtentsThatDoNotFit) {
    EXPECT_THAT(message_of<std::invalid_argument>(
                    [&] { (void)device.allocate_pitched<float>(stream, {.width = ~std::size_t{0} / 4, .height = 2}); }),
                HasSubstr("4611686018427387903 x 2 x 1 elements of 4 bytes"));
    EXPECT_THROW((void)device.allocate_pitched<float>(stream, {.width = 1 << 20, .height = 1 << 20}), OutOfMemory);
    const auto buffer = device.allocate_pitched<float>(stream, {.width = 8, .height = 4});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)buffer.region({.x = 4}, {.width = 5}); }), HasSubstr("5 x 1 x 1"));
}

TEST_F(PitchedBufferTest, AllowsEmptyExtents) {
    const auto empty = device.allocate_pitched<float>(stream, {.width = 0, .height = 4});
    EXPECT_EQ(empty.native_handle(), 0u);
    EXPECT_FALSE(empty.is_closed());
}

TEST_F(PitchedBufferTest, OwnsTheMemory) {
    auto buffer = device.allocate_pitched<float>(stream, {.width = 8, .height = 4});
    PitchedBuffer<float> moved = std::move(buffer);
    EXPECT_TRUE(buffer.is_closed());
    EXPECT_THROW((void)buffer.extent(), std::invalid_argument);
    EXPECT_THROW((void)buffer.pitch(), std::invalid_argument);
    EXPECT_THROW((void)buffer.span(), std::invalid_argument);
    moved.close();
    EXPECT_TRUE(moved.is_closed());
    const Stream other(device);
    auto second = device.allocate_pitched<float>(stream, {.width = 8, .height = 4});
    second.set_deallocation_stream(other);
    second.close(stream);
}

}  // namespace
}  // namespace cubind::testing
