// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/memory_adaptors.hpp>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class MemoryAdaptorTest : public MemoryTest {
protected:
    MemoryResource upstream = device.memory_resource();
};

TEST_F(MemoryAdaptorTest, HasThePropertiesOfItsUpstream) {
    const LimitMemoryResource limited(StatisticsMemoryResource(upstream), 64);
    EXPECT_EQ(limited.device(), device);
    EXPECT_TRUE(limited.is_device_accessible());
    EXPECT_FALSE(limited.is_host_accessible());
    EXPECT_FALSE(limited.is_managed());
    EXPECT_TRUE(limited.base()->is_capturable());
    const MemoryResource host(std::make_shared<RecordingResource>());
    EXPECT_TRUE(StatisticsMemoryResource(host).is_host_accessible());
}

TEST_F(MemoryAdaptorTest, CountsAllocations) {
    const StatisticsMemoryResource counted(upstream);
    Buffer first = counted.allocate(stream, 100);
    Buffer second = counted.allocate(stream, 50);
    EXPECT_EQ(first.memory_resource(), counted);
    first.close();
    auto statistics = counted.statistics();
    EXPECT_EQ(statistics.current_size, 50u);
    EXPECT_EQ(statistics.current_count, 1u);
    EXPECT_EQ(statistics.peak_size, 150u);
    EXPECT_EQ(statistics.total_size, 150u);
    EXPECT_EQ(statistics.total_count, 2u);
    counted.reset_peak();
    EXPECT_EQ(counted.statistics().peak_size, 50u);
    EXPECT_THROW((void)counted.allocate(stream, std::size_t{1} << 40), OutOfMemory);
    second.close();
    statistics = counted.statistics();
    EXPECT_EQ(statistics.current_size, 0u);
    EXPECT_EQ(statistics.total_count, 2u) << "a failed allocation is not counted";
}

TEST_F(MemoryAdaptorTest, EnforcesTheLimit) {
    const LimitMemoryResource limited(upstream, 128);
    Buffer first = limited.allocate(stream, 100);
    const std::string message = message_of<OutOfMemory>([&] { (void)limited.allocate(stream, 29); });
    EXPECT_THAT(message, HasSubstr("29 bytes were requested; 100 of at most 128 bytes are in use"));
    EXPECT_THROW((void)limited.allocate(stream, ~std::size_t{0}), OutOfMemory);
    Buffer second = limited.allocate(stream, 28);
    first.close();
    second.close();
    (void)limited.allocate(stream, 128);
    const LimitMemoryResource above(upstream, std::size_t{1} << 50);
    EXPECT_THROW((void)above.allocate(stream, std::size_t{1} << 50), OutOfMemory);
    (void)above.allocate(stream, 128);
}

TEST_F(MemoryAdaptorTest, LogsEveryCall) {
    using Kind = MemoryEvent::Kind;
    std::vector<MemoryEvent> events;
    const auto recording = std::make_shared<RecordingResource>();
    const LoggingMemoryResource logged(MemoryResource(recording), [&](const MemoryEvent& event) { events.push_back(event); });
    Buffer buffer = logged.allocate(stream, 16);
    const driver::CUdeviceptr pointer = buffer.native_handle();
    recording->throws = true;
    EXPECT_THROW(buffer.close(), std::runtime_error);
    recording->throws = false;
    Buffer::from_native_handle(pointer, 16, logged, stream).close();
    const LoggingMemoryResource failing(upstream, [&](const MemoryEvent& event) { events.push_back(event); });
    EXPECT_THROW((void)failing.allocate(stream, std::size_t{1} << 40), OutOfMemory);
    ASSERT_THAT(events, SizeIs(4));
    EXPECT_EQ(events[0].kind, Kind::allocated);
    EXPECT_EQ(events[0].pointer, pointer);
    EXPECT_EQ(events[0].size, 16u);
    EXPECT_EQ(events[0].stream, stream);
    EXPECT_EQ(events[1].kind, Kind::failed_to_deallocate);
    EXPECT_EQ(events[2].kind, Kind::deallocated);
    EXPECT_EQ(events[2].pointer, pointer);
    EXPECT_EQ(events[3].kind, Kind::failed_to_allocate);
    EXPECT_EQ(events[3].size, std::size_t{1} << 40);
}

TEST_F(MemoryAdaptorTest, RetriesAfterTheCallbackFreesMemory) {
    const LimitMemoryResource limited(upstream, 100);
    std::optional<Buffer> cached = limited.allocate(stream, 80);
    std::vector<std::size_t> requested;
    const FailureCallbackMemoryResource patient(limited, [&](std::size_t size) {
        requested.push_back(size);
        const bool has_cached = cached.has_value();
        cached.reset();
        return has_cached;
    });
    const Buffer buffer = patient.allocate(stream, 60);
    EXPECT_EQ(buffer.size(), 60u);
    EXPECT_THROW((void)patient.allocate(stream, 60), OutOfMemory) << "the callback cannot free more";
    EXPECT_THAT(requested, ElementsAre(60u, 60u));
    const FailureCallbackMemoryResource throwing(limited, [](std::size_t) -> bool { throw std::runtime_error("no"); });
    EXPECT_THROW((void)throwing.allocate(stream, 60), std::runtime_error);
    layers::faults::start();
    layers::faults::fail("cuMemAllocFromPoolAsync", driver::CUDA_ERROR_UNKNOWN);
    EXPECT_THROW((void)patient.allocate(stream, 16), Error);
    layers::faults::stop();
    EXPECT_THAT(requested, SizeIs(2)) << "other failures do not call it";
}

}  // namespace
}  // namespace cubind::testing
