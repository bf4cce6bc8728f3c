// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Copies of buffers, changes of their size, and single elements.

#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <array>
#include <bit>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

/// A resource that keeps freed memory until it is destroyed, because copies that the test does not wait for may use it.
class KeepingResource : public RecordingResource {
public:
    ~KeepingResource() override {
        for (const auto& [pointer, alignment] : kept_)
            ::operator delete(reinterpret_cast<void*>(pointer), std::align_val_t(alignment));
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t, std::size_t alignment) override {
        streams.push_back(stream);
        kept_.emplace_back(pointer, alignment);
    }

private:
    std::vector<std::pair<driver::CUdeviceptr, std::size_t>> kept_;
};

class BufferContentsTest : public MemoryTest {
protected:
    template <class Element>
    std::vector<Element> elements_of(const TypedBuffer<Element>& buffer) {
        std::vector<Element> elements(buffer.count());
        copy(stream, elements, buffer);
        stream.synchronize();
        return elements;
    }

    /// Returns the bytes of a value without padding.
    template <class Element>
    static auto bytes_of(const Element& value) {
        return std::bit_cast<std::array<unsigned char, sizeof(Element)>>(value);
    }

    std::vector<int> values{1, 2, 3, 4};
};

// ---- copies --------------------------------------------------------------------------------------------------------------

TEST_F(BufferContentsTest, ClonesIntoMemoryOfTheSameResource) {
    DeviceMemoryResource pool(device);
    TypedBuffer<int> buffer = pool.allocate<int>(stream, 4);
    copy(stream, buffer, values);
    const TypedBuffer<int> copied = buffer.clone(stream);
    fill(stream, buffer, 0);
    EXPECT_NE(copied.native_handle(), buffer.native_handle());
    EXPECT_EQ(copied.bytes().memory_resource(), buffer.bytes().memory_resource());
    EXPECT_EQ(elements_of(copied), values);
    EXPECT_EQ(pool.attributes().used_mem_current(), 32u);
    EXPECT_EQ(device.allocate(stream, 0).clone(stream).size(), 0u);
}

TEST_F(BufferContentsTest, ClonesWithTheSameAlignment) {
    RecordingResource* const recording = new RecordingResource;
    const MemoryResource resource{std::shared_ptr<MemoryResourceBase>(recording)};
    {
        const Buffer buffer = resource.allocate(stream, 24, 512);
        const Buffer copied = buffer.clone(stream);
        EXPECT_EQ(copied.native_handle() % 512, 0u);
        stream.synchronize();
    }
    EXPECT_THAT(recording->alignments, ElementsAre(512, 512));
}

TEST_F(BufferContentsTest, FreesACloneInTheOrderOfItsStream) {
    KeepingResource* const recording = new KeepingResource;
    const MemoryResource resource{std::shared_ptr<MemoryResourceBase>(recording)};
    Buffer buffer = resource.allocate(stream, 24);
    const Stream other(device);
    { const Buffer copied = buffer.clone(other); }
    ASSERT_THAT(recording->streams, SizeIs(1));
    EXPECT_EQ(recording->streams[0], other);
    other.synchronize();
}

TEST_F(BufferContentsTest, RefusesViewsAndClosedBuffers) {
    Buffer buffer = device.allocate(stream, 16);
    Buffer view = Buffer::view_of(buffer.native_handle(), 16);
    expect_misuse([&] { (void)view.clone(stream); }, "cannot clone a view of 16 bytes", "no memory resource");
    expect_misuse([&] { view.resize(stream, 8); }, "cannot resize a view of 16 bytes");
    view.resize(stream, 16);
    buffer.close();
    expect_misuse([&] { (void)buffer.clone(stream); }, "Buffer");
    expect_misuse([&] { buffer.resize(stream, 8); }, "Buffer");
}

// ---- sizes ---------------------------------------------------------------------------------------------------------------

TEST_F(BufferContentsTest, KeepsTheElementsThatFit) {
    DeviceMemoryResource pool(device);
    TypedBuffer<int> buffer = pool.allocate<int>(stream, 4);
    copy(stream, buffer, values);
    buffer.resize(stream, 6);
    EXPECT_EQ(buffer.count(), 6u);
    fill(stream, buffer.last(2), 9);
    EXPECT_THAT(elements_of(buffer), ElementsAre(1, 2, 3, 4, 9, 9));
    EXPECT_EQ(pool.attributes().used_mem_current(), 24u) << "the old memory is freed";
    buffer.resize(stream, 2);
    EXPECT_THAT(elements_of(buffer), ElementsAre(1, 2));
    const auto address = buffer.native_handle();
    buffer.resize(stream, 2);
    EXPECT_EQ(buffer.native_handle(), address) << "an equal size changes nothing";
    buffer.resize(stream, 0);
    EXPECT_EQ(buffer.native_handle(), 0u);
    stream.synchronize();
    EXPECT_EQ(pool.attributes().used_mem_current(), 0u);
    buffer.resize(stream, 3);
    EXPECT_EQ(buffer.count(), 3u);
}

TEST_F(BufferContentsTest, ResizesInTheOrderOfTheStream) {
    KeepingResource* const recording = new KeepingResource;
    const MemoryResource resource{std::shared_ptr<MemoryResourceBase>(recording)};
    const Stream working(device);
    {
        TypedBuffer<int> buffer = resource.allocate<int>(stream, 4);
        buffer.resize(working, 8);
        ASSERT_THAT(recording->streams, SizeIs(1));
        EXPECT_EQ(recording->streams[0], working) << "the copy of this stream reads the old memory";
    }
    ASSERT_THAT(recording->streams, SizeIs(2));
    EXPECT_EQ(recording->streams[1], working);
    working.synchronize();
}

TEST_F(BufferContentsTest, ResizesWithoutWaiting) {
    TypedBuffer<int> buffer = device.allocate<int>(stream, 4);
    Gate gate(stream);
    buffer.fill(stream, 5);
    buffer.resize(stream, 8);
    EXPECT_FALSE(stream.is_done());
    gate.open();
    EXPECT_EQ(buffer.get(stream, 3), 5);
}

TEST_F(BufferContentsTest, IsUnchangedIfTheNewMemoryCannotBeAllocated) {
    TypedBuffer<int> buffer = device.allocate<int>(stream, 4);
    copy(stream, buffer, values);
    const auto address = buffer.native_handle();
    EXPECT_THROW(buffer.resize(stream, std::size_t{1} << 40), OutOfMemory);
    expect_misuse([&] { buffer.resize(stream, ~std::size_t{0} / 2); }, "elements of 4 bytes");
    EXPECT_EQ(buffer.native_handle(), address);
    EXPECT_EQ(elements_of(buffer), values);
    EXPECT_EQ(used(), 16u);
}

TEST_F(BufferContentsTest, IsUnchangedIfACallFails) {
    std::size_t failures = 0;
    sweep([&] {
        TypedBuffer<int> buffer = device.allocate<int>(stream, 4);
        const auto address = buffer.native_handle();
        try {
            buffer.resize(stream, 8);
        } catch (const Error&) {
            ++failures;
            EXPECT_EQ(buffer.count(), 4u);
            EXPECT_EQ(buffer.native_handle(), address);
            throw;
        }
    });
    EXPECT_GE(failures, 2u) << "of the allocation and the copy";
}

TEST_F(BufferContentsTest, LeavesTheOldMemoryToOthersThatShareIt) {
    TypedBuffer<int> buffer = device.allocate<int>(stream, 4);
    copy(stream, buffer, values);
    auto shared = detail::share(buffer.bytes());
    const std::span<int> old = buffer.span();
    buffer.resize(stream, 8);
    std::vector<int> results(4);
    copy(stream, results, old);
    stream.synchronize();
    EXPECT_EQ(results, values);
    EXPECT_EQ(used(), 48u);
    shared.reset();
    stream.synchronize();
    EXPECT_EQ(used(), 32u);
}

// ---- elements ------------------------------------------------------------------------------------------------------------

TEST_F(BufferContentsTest, ReadsAndWritesElements) {
    TypedBuffer<int> ints = device.allocate<int>(stream, 3);
    fill(stream, ints, 7);
    ints.set(stream, 1, -5);
    EXPECT_EQ(ints.get(stream, 0), 7);
    EXPECT_EQ(ints.get(stream, 1), -5);
    EXPECT_EQ(ints.get(stream, 2), 7);
    expect_misuse([&] { (void)ints.get(stream, 3); }, "TypedBuffer::get()", "from element 3", "has 3");
    expect_misuse([&] { ints.set(stream, ~std::size_t{0}, 1); }, "TypedBuffer::set()");
}

TEST_F(BufferContentsTest, ReadsAndWritesElementsOfAnySize) {
    const auto check = [&]<class Element>(const Element& value) {
        TypedBuffer<Element> buffer = device.allocate<Element>(stream, 3);
        fill(stream, buffer, std::byte{0x11});
        buffer.set(stream, 1, value);
        const Element before = buffer.get(stream, 0), found = buffer.get(stream, 1), after = buffer.get(stream, 2);
        EXPECT_EQ(bytes_of(found), bytes_of(value)) << sizeof value;
        EXPECT_THAT(bytes_of(before), ::testing::Each(0x11));
        EXPECT_THAT(bytes_of(after), ::testing::Each(0x11));
    };
    struct Odd {
        unsigned char bytes[7];
    };
    struct Pairs {
        std::uint16_t numbers[3];
    };
    struct NotDefaultConstructible {
        explicit NotDefaultConstructible(int number) : numbers{number, number, 0, 2, 2} {}
        int numbers[5];
    };
    check(std::uint8_t{200});
    check(std::uint16_t{50000});
    check(3.5f);
    check(-1e300);
    check(Odd{{1, 2, 2, 3, 4, 5, 6}});
    check(Pairs{{1, 2, 3}});
    check(NotDefaultConstructible(8));
}

TEST_F(BufferContentsTest, SetsWithoutWaitingAndKeepsTheValue) {
    Gate gate;
    TypedBuffer<double> buffer = device.allocate<double>(stream, 2);
    stream.launch_host_function(gate.blocker());
    double value = 2.5;
    buffer.set(stream, 1, value);
    value = 0;
    EXPECT_FALSE(stream.is_done());
    gate.open();
    EXPECT_EQ(buffer.get(stream, 1), 2.5);
}

TEST_F(BufferContentsTest, JoinsEqualPartsOfAValue) {
    struct Large {
        int numbers[64];
    };
    TypedBuffer<Large> buffer = device.allocate<Large>(stream, 1);
    EXPECT_EQ(sweep([&] { buffer.set(stream, 0, Large{}); }), 1u) << "one fill";
    EXPECT_EQ(sweep([&] { buffer.set(stream, 0, Large{{1, 2, 2}}); }), 3u);
    EXPECT_EQ(buffer.get(stream, 0).numbers[2], 2);
}

TEST_F(BufferContentsTest, CapturesTheValueOfAnElement) {
    TypedBuffer<double> buffer = device.allocate<double>(stream, 1);
    buffer.set(stream, 0, 1);
    stream.synchronize();
    GraphBuilder builder(device);
    builder.begin_building();
    {
        double value = 4.5;
        buffer.set(builder, 0, value);
        value = 0;
    }
    expect_misuse([&] { (void)buffer.get(builder, 0); }, "captured");
    builder.end_building();
    Graph graph = builder.complete();
    EXPECT_EQ(buffer.get(stream, 0), 1);
    graph.launch(stream);
    EXPECT_EQ(buffer.get(stream, 0), 4.5);
}

TEST_F(BufferContentsTest, ReachesMemoryOfTheHost) {
    LegacyPinnedMemoryResource pinned;
    TypedBuffer<int> buffer = pinned.allocate<int>(stream, 2);
    buffer.set(stream, 0, 6);
    EXPECT_EQ(buffer.get(stream, 0), 6);
    EXPECT_EQ(buffer.span()[0], 6);
}

TEST_F(BufferContentsTest, ReportsEveryFailedCall) {
    TypedBuffer<int> buffer = device.allocate<int>(stream, 4);
    sweep([&] { (void)buffer.clone(stream); });
    sweep([&] { (void)buffer.get(stream, 0); });
}

}  // namespace
}  // namespace cubind::testing
