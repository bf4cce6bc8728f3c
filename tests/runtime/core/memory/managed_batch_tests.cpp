// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/managed_memory.hpp>
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class ManagedBatchTest : public MemoryTest {
protected:
    explicit ManagedBatchTest(const sim::Options& options = {.devices = 2}) : MemoryTest(options) {}

    void expect_locations(const MemoryLocation& of_first, const MemoryLocation& of_second) {
        stream.synchronize();
        EXPECT_EQ(ManagedMemory(first).last_prefetch_location(), of_first);
        EXPECT_EQ(ManagedMemory(second).last_prefetch_location(), of_second);
    }

    ManagedMemoryResource managed;
    Buffer first = managed.allocate(stream, 8192);
    Buffer second = managed.allocate(stream, 4096);
    Buffer empty = managed.allocate(stream, 0);
    std::vector<ManagedMemory> pieces{ManagedMemory(first), ManagedMemory(empty), ManagedMemory(second)};
};

TEST_F(ManagedBatchTest, PrefetchesToOneLocation) {
    layers::faults::start();
    prefetch_batch(stream, pieces, device);
    EXPECT_EQ(layers::faults::calls("cuMemPrefetchBatchAsync"), 1u);
    layers::faults::stop();
    expect_locations(device, device);
    prefetch_batch(stream, {ManagedMemory(first)}, Host{});
    expect_locations(Host{}, device);
}

TEST_F(ManagedBatchTest, PrefetchesToSeveralLocations) {
    prefetch_batch(stream, pieces, {device, Host{}, Device(1)});
    expect_locations(device, Device(1));
    prefetch_batch(stream, pieces, {Host{}, device, Host{}});
    expect_locations(Host{}, Host{});
    prefetch_batch(stream, {ManagedMemory(first.span<std::byte>().first(4096)), ManagedMemory(first.span<int>().last(1024))},
                   {device, Device(1)});
    stream.synchronize();
    EXPECT_EQ(ManagedMemory(first).last_prefetch_location(), std::nullopt) << "the parts have different locations";
    prefetch_batch(stream, pieces, Host::numa_current());
    stream.synchronize();
    EXPECT_TRUE(ManagedMemory(first).last_prefetch_location()->host());
}

TEST_F(ManagedBatchTest, Discards) {
    layers::faults::start();
    discard_batch(stream, pieces);
    EXPECT_EQ(layers::faults::calls("cuMemDiscardBatchAsync"), 1u);
    discard_prefetch_batch(stream, pieces, Host{});
    EXPECT_EQ(layers::faults::calls("cuMemDiscardAndPrefetchBatchAsync"), 1u);
    layers::faults::stop();
    expect_locations(Host{}, Host{});
    discard_prefetch_batch(stream, pieces, {Device(1), device, device});
    expect_locations(Device(1), device);
}

TEST_F(ManagedBatchTest, IgnoresZeroBytes) {
    layers::faults::start();
    for (const std::vector<ManagedMemory>& none : {std::vector<ManagedMemory>(), std::vector<ManagedMemory>{pieces[1]}}) {
        prefetch_batch(stream, none, device);
        discard_batch(stream, none);
        discard_prefetch_batch(stream, none, device);
    }
    EXPECT_EQ(layers::faults::calls("cuMemPrefetchBatchAsync") + layers::faults::calls("cuMemDiscardBatchAsync") +
                  layers::faults::calls("cuMemDiscardAndPrefetchBatchAsync"),
              0u);
    layers::faults::stop();
    Stream closed = std::move(stream);
    EXPECT_THROW(discard_batch(stream, {}), std::invalid_argument) << "the stream was moved from";
}

TEST_F(ManagedBatchTest, NamesThePieceThatIsRejected) {
    const Buffer plain = device.allocate(stream, 16);
    const std::vector<ManagedMemory> mixed{ManagedMemory(first), ManagedMemory(plain)};
    expect_misuse([&] { prefetch_batch(stream, mixed, device); }, "piece 1 of 2", "not managed", "16 bytes at 0x");
    expect_misuse([&] { discard_batch(stream, mixed); }, "piece 1 of 2", "not managed");
    expect_misuse([&] { discard_prefetch_batch(stream, mixed, device); }, "piece 1 of 2", "not managed");
    const std::span<int> beyond(second.span<int>().data(), 8192);
    EXPECT_THAT(message_of<Error>([&] {
                    prefetch_batch(stream, {ManagedMemory(first), ManagedMemory(beyond)}, device);
                }),
                AllOf(HasSubstr("piece 1 of 2"), HasSubstr("32768 bytes at 0x")));
    expect_misuse([&] { prefetch_batch(stream, pieces, {device, device}); }, "3 pieces", "2 locations");
    expect_misuse([&] { discard_prefetch_batch(stream, pieces, {device, device}); }, "3 pieces", "2 locations");
}

TEST_F(ManagedBatchTest, AcceptsDefaultStreamsWhereTheDriverDoes) {
    device.set_current();
    prefetch_batch(StreamRef::legacy_default(), pieces, device);
    StreamRef::legacy_default().synchronize();
    expect_locations(device, device);
    expect_misuse([&] { discard_batch(StreamRef::legacy_default(), pieces); }, "legacy default stream", "per_thread_default()");
    expect_misuse([&] { ManagedMemory(first).discard_prefetch(StreamRef::legacy_default(), device); }, "legacy default stream");
    discard_prefetch_batch(StreamRef::per_thread_default(), pieces, Host{});
    StreamRef::per_thread_default().synchronize();
    expect_locations(Host{}, Host{});
}

TEST_F(ManagedBatchTest, ReportsEveryFailedCall) {
    EXPECT_EQ(sweep([&] { prefetch_batch(stream, pieces, device); }), 1u);
    EXPECT_EQ(sweep([&] { discard_batch(stream, pieces); }), 1u);
    EXPECT_EQ(sweep([&] { discard_prefetch_batch(stream, pieces, {Host{}, device, device}); }), 1u);
    stream.synchronize();
}

// ---- the NUMA node of the calling thread ---------------------------------------------------------------------------------

TEST_F(ManagedBatchTest, NamesTheNumaNodeOfTheThread) {
    const Host current = Host::numa_current();
    EXPECT_TRUE(current.is_numa_current);
    EXPECT_EQ(current.numa_id, std::nullopt);
    EXPECT_NE(current, Host{});
    const MemoryLocation location(current);
    EXPECT_EQ(location.native().type, driver::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT);
    EXPECT_EQ(location.native().id, 0);
    EXPECT_EQ(location.host(), current);
    EXPECT_EQ(location.device(), std::nullopt);
    EXPECT_EQ(MemoryLocation(location.native()), location);
    EXPECT_NE(location, MemoryLocation(Host{}));
    expect_misuse([] { (void)MemoryLocation(Host{3, true}); }, "numa_id 3", "is_numa_current");
}

// ---- older drivers -------------------------------------------------------------------------------------------------------

class ManagedBatchOfOldDriverTest : public ManagedBatchTest {
protected:
    ManagedBatchOfOldDriverTest() : ManagedBatchTest({.devices = 2, .release = "12.0"}) {}
};

TEST_F(ManagedBatchOfOldDriverTest, PrefetchesPieceByPiece) {
    prefetch_batch(stream, pieces, {device, device, Device(1)});
    expect_locations(device, Device(1));
    prefetch_batch(stream, pieces, Host{});
    expect_locations(Host{}, Host{});
    expect_misuse([&] { prefetch_batch(stream, pieces, Host::numa_current()); }, "piece 0 of 3", "CUDA 12.2");
    const Buffer plain = device.allocate(stream, 16);
    expect_misuse(
        [&] {
            prefetch_batch(stream, {ManagedMemory(first), ManagedMemory(plain)}, device);
        },
        "piece 1 of 2", "not managed");
}

TEST_F(ManagedBatchOfOldDriverTest, NamesTheReleaseThatCanDiscard) {
    EXPECT_THAT(message_of<Error>([&] { discard_batch(stream, pieces); }), HasSubstr("13.0"));
    EXPECT_THAT(message_of<Error>([&] { discard_prefetch_batch(stream, pieces, device); }), HasSubstr("13.0"));
}

TEST_F(ManagedBatchOfOldDriverTest, ReportsEveryFailedCall) {
    EXPECT_EQ(sweep([&] { prefetch_batch(stream, pieces, device); }), 2u);
    stream.synchronize();
}

}  // namespace
}  // namespace cubind::testing
