// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// What a Recorder makes of CUPTI's records, and how it begins and ends.
#include <cubind/cupti/loading.hpp>
#include <cubind/error.hpp>
#include <cubind/nvtx/nvtx_range.hpp>
#include <cubind/substitute.hpp>

#include <gmock/gmock.h>

#include <optional>
#include <thread>
#include <unistd.h>
#include <vector>

#include "recorder_test.hpp"

namespace cubind::testing {
namespace {

using namespace cupti;
using namespace profile;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto driver_call = CUPTI_ACTIVITY_KIND_DRIVER;

TEST_F(RecorderTest, ReadsKernels) {
    Recorder recorder;
    auto record = kernel_record("_Z5scaleIfEvPT_i", 1000, 1250, 5, 13);
    record.deviceId = 2;
    record.contextId = 3;
    record.gridX = 4, record.gridY = 5, record.gridZ = 6;
    record.blockX = 128, record.blockY = 2, record.blockZ = 1;
    record.clusterX = 2, record.clusterY = 1, record.clusterZ = 1;
    record.registersPerThread = 40;
    record.staticSharedMemory = 512;
    record.dynamicSharedMemory = 1024;
    record.localMemoryPerThread = 16;
    record.graphId = 8;
    record.graphNodeId = std::uint64_t{9} << 32 | 1;
    ASSERT_TRUE(stand_in::add(record));
    ASSERT_TRUE(stand_in::add(kernel_record("plain", 2000, 2001)));
    const Recording recording = recorder.stop();
    ASSERT_EQ(recording.kernels().size(), 2u);
    const KernelRecord& kernel = recording.kernels()[0];
    EXPECT_EQ(kernel.symbol, "_Z5scaleIfEvPT_i");
    EXPECT_EQ(kernel.name, "void scale<float>(float*, int)");
    EXPECT_EQ(kernel.duration(), Nanoseconds(250));
    EXPECT_EQ(recording.kernels()[1].start - kernel.start, Nanoseconds(1000));
    EXPECT_EQ(kernel.process, static_cast<std::uint32_t>(::getpid()));
    EXPECT_EQ(std::vector<std::uint64_t>(
                  {kernel.device, kernel.context, kernel.stream, kernel.correlation_id, kernel.graph, kernel.graph_node}),
              std::vector<std::uint64_t>({2, 3, 13, 5, 8, std::uint64_t{9} << 32 | 1}));
    EXPECT_EQ(std::vector<std::uint32_t>({kernel.grid.x, kernel.grid.y, kernel.grid.z, kernel.block.x, kernel.block.y,
                                          kernel.block.z, kernel.cluster.x, kernel.cluster.y, kernel.cluster.z}),
              std::vector<std::uint32_t>({4, 5, 6, 128, 2, 1, 2, 1, 1}));
    EXPECT_EQ(std::vector<std::uint32_t>({kernel.registers_per_thread, kernel.static_shared_memory, kernel.dynamic_shared_memory,
                                          kernel.local_memory_per_thread}),
              std::vector<std::uint32_t>({40, 512, 1024, 16}));
    EXPECT_EQ(recording.kernels()[1].name, "plain");
    EXPECT_THAT(recording.notes(), IsEmpty());
}

TEST_F(RecorderTest, ReadsCopiesFillsMemoryAndWaits) {
    Recorder recorder({.memory_operations = true, .synchronizations = true});
    auto copy = record_of<CUpti_ActivityMemcpy5>(CUPTI_ACTIVITY_KIND_MEMCPY);
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
    copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    copy.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
    copy.bytes = 1 << 20;
    copy.start = 100, copy.end = 160, copy.deviceId = 1;
    ASSERT_TRUE(stand_in::add(copy));
    auto peer = record_of<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2);
    peer.start = 200, peer.end = 230, peer.bytes = 64, peer.srcDeviceId = 1, peer.dstDeviceId = 3;
    ASSERT_TRUE(stand_in::add(peer));
    auto unknown = copy;  // of a later release
    unknown.start = 300, unknown.end = 301, unknown.copyKind = 77, unknown.srcKind = 99, unknown.flags = 0;
    ASSERT_TRUE(stand_in::add(unknown));
    auto fill = record_of<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
    fill.start = 10, fill.end = 12, fill.bytes = 256, fill.value = 7, fill.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_MANAGED,
    fill.flags = 1;
    ASSERT_TRUE(stand_in::add(fill));
    auto memory = record_of<CUpti_ActivityMemory3>(CUPTI_ACTIVITY_KIND_MEMORY2);
    memory.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    memory.timestamp = 50, memory.address = 0x7000, memory.bytes = 512, memory.isAsync = 1;
    ASSERT_TRUE(stand_in::add(memory));
    auto wait = record_of<CUpti_ActivitySynchronization>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
    wait.start = 5, wait.end = 9, wait.streamId = 7, wait.cudaEventId = UINT32_MAX;
    ASSERT_TRUE(stand_in::add(wait));

    const Recording recording = recorder.stop();
    ASSERT_EQ(recording.copies().size(), 3u);
    const CopyRecord& first = recording.copies()[0];
    EXPECT_EQ(first.direction, CopyDirection::host_to_device);
    EXPECT_EQ(first.source, MemoryKind::pinned);
    EXPECT_EQ(first.destination, MemoryKind::device);
    EXPECT_EQ(first.bytes, 1u << 20);
    EXPECT_TRUE(first.is_asynchronous);
    EXPECT_EQ(first.duration(), Nanoseconds(60));
    EXPECT_EQ(first.destination_device, 1u);
    EXPECT_EQ(recording.copies()[1].direction, CopyDirection::peer_to_peer);
    EXPECT_EQ(recording.copies()[1].source_device, 1u);
    EXPECT_EQ(recording.copies()[1].destination_device, 3u);
    EXPECT_EQ(recording.copies()[2].direction, CopyDirection::unknown);
    EXPECT_EQ(recording.copies()[2].source, MemoryKind::unknown);
    ASSERT_EQ(recording.fills().size(), 1u);
    EXPECT_EQ(recording.fills()[0].value, 7u);
    EXPECT_EQ(recording.fills()[0].memory, MemoryKind::managed);
    EXPECT_TRUE(recording.fills()[0].is_asynchronous);
    ASSERT_EQ(recording.memory_operations().size(), 1u);
    EXPECT_TRUE(recording.memory_operations()[0].is_release);
    EXPECT_EQ(recording.memory_operations()[0].address, 0x7000u);
    EXPECT_EQ(recording.memory_operations()[0].duration(), Nanoseconds(0));
    ASSERT_EQ(recording.synchronizations().size(), 1u);
    EXPECT_EQ(recording.synchronizations()[0].kind, SynchronizationKind::stream);
    EXPECT_EQ(recording.synchronizations()[0].event, 0u);
    EXPECT_EQ(recording.size(), 6u);
}

TEST_F(RecorderTest, EnablesWhatIsChosen) {
    {
        const Recorder recorder({.copies = false, .driver_calls = false, .runtime_calls = false, .ranges = false});
        EXPECT_TRUE(stand_in::is_enabled(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
        EXPECT_TRUE(stand_in::is_enabled(CUPTI_ACTIVITY_KIND_MEMSET));
        for (const auto kind : {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_RUNTIME,
                                CUPTI_ACTIVITY_KIND_MARKER, CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_GRAPH_TRACE})
            EXPECT_FALSE(stand_in::is_enabled(kind)) << kind;
    }
    EXPECT_TRUE(is_off());  // destroyed without stop()
}

TEST_F(RecorderTest, NamesFunctions) {
    Recorder recorder;
    ASSERT_TRUE(stand_in::add(call_record(driver_call, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, 10, 20, 1)));
    ASSERT_TRUE(stand_in::add(call_record(driver_call, 99'999, 30, 35, 2)));  // of a driver that is newer than CUPTI
    auto failed = call_record(CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020, 40, 41, 3, 12);
    failed.returnValue = 2;
    ASSERT_TRUE(stand_in::add(failed));
    const Recording recording = recorder.stop();
    ASSERT_EQ(recording.calls().size(), 3u);
    EXPECT_EQ(recording.calls()[0].name, "cuLaunchKernel");
    EXPECT_EQ(recording.calls()[0].thread, 11u);
    EXPECT_EQ(recording.calls()[1].name, "driver function 99999");
    EXPECT_EQ(recording.calls()[2].name, "cudaMalloc_v3020");
    EXPECT_EQ(recording.calls()[2].api, Api::runtime);
    EXPECT_EQ(recording.calls()[2].status, 2);
}

TEST_F(RecorderTest, ReadsRangesOfItsOwnProcess) {
    Recorder recorder;
    const TimePoint before = std::chrono::steady_clock::now();
    {
        const NvtxRange outer("outer");
        const NvtxRange inner("inner");
    }
    const TimePoint after = std::chrono::steady_clock::now();
    std::optional<NvtxRange> open("open");
    const Recording recording = recorder.stop();
    open.reset();
    ASSERT_EQ(recording.ranges().size(), 3u);
    EXPECT_EQ(recording.ranges()[0].name, "outer");
    EXPECT_EQ(recording.ranges()[1].name, "inner");
    EXPECT_EQ(recording.ranges()[0].thread, static_cast<std::uint32_t>(::gettid()));
    EXPECT_EQ(recording.parent_of(recording.ranges()[1]), &recording.ranges()[0]);
    EXPECT_EQ(recording.parent_of(recording.ranges()[0]), nullptr);
    // The stand-in's clock is another one; the measurement of their difference takes microseconds.
    EXPECT_GT(recording.ranges()[0].start, before - std::chrono::milliseconds(1));
    EXPECT_LT(recording.ranges()[0].end, after + std::chrono::milliseconds(1));
    EXPECT_TRUE(recording.ranges()[2].is_open);
    EXPECT_EQ(recording.ranges()[2].end, recording.end());
}

TEST_F(RecorderTest, SaysWhyRangesAreMissing) {
    ::setenv("NVTX_INJECTION64_PATH", "/opt/other/libtool.so", 1);
    Recorder recorder;
    const Recording recording = recorder.stop();
    ASSERT_EQ(recording.notes().size(), 1u);
    EXPECT_THAT(recording.notes()[0], HasSubstr("/opt/other/libtool.so"));
    EXPECT_THAT(table(recording), HasSubstr("/opt/other/libtool.so"));
}

TEST_F(RecorderTest, TakesAndContinues) {
    Recorder recorder;
    stand_in::add(kernel_record("_Z3onev", 1000, 1010, 1));
    stand_in::add(marker_record(CUPTI_ACTIVITY_FLAG_MARKER_START, 1, 900, "over both"));
    stand_in::add(call_record(driver_call, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, 950, 960, 1));
    recorder.flush();
    EXPECT_EQ(recorder.progress().records, 2u);
    EXPECT_EQ(recorder.progress().kernels, 1u);
    std::optional<Recording> all(recorder.take());
    EXPECT_EQ(all->size(), 2u);
    EXPECT_EQ(recorder.progress().records, 0u);
    stand_in::add(kernel_record("_Z3onev", 2000, 2010, 2));
    stand_in::add(marker_record(CUPTI_ACTIVITY_FLAG_MARKER_END, 1, 3000, nullptr));
    Recording second = recorder.stop();
    EXPECT_EQ(second.size(), 2u);
    EXPECT_GE(second.start(), all->end());
    all->merge(std::move(second));
    ASSERT_EQ(all->kernels().size(), 2u);
    EXPECT_EQ(all->kernels()[1].name, "one()");
    ASSERT_NE(all->range_of(all->kernels()[0]), nullptr);
    EXPECT_EQ(all->range_of(all->kernels()[0])->name, "over both");
}

TEST_F(RecorderTest, CountsDroppedRecords) {
    stand_in::options().drop = 3;
    Recorder recorder({.max_records = 4});
    for (int i = 0; i < 9; ++i) stand_in::add(kernel_record("k", 1000, 1010));
    stand_in::add(kernel_record("unfinished", 0, 0));
    const Recording recording = recorder.stop();
    EXPECT_EQ(recording.kernels().size(), 4u);
    EXPECT_EQ(recording.dropped().by_cupti, 3u);
    EXPECT_EQ(recording.dropped().by_limit, 3u);
    EXPECT_EQ(recording.dropped().total(), 6u);
}

TEST_F(RecorderTest, CountsWorkThatHasNotEnded) {
    Recorder recorder;
    stand_in::add(kernel_record("unfinished", 1000, 0));
    const Recording recording = recorder.stop();
    EXPECT_EQ(recording.dropped().incomplete, 1u);
    EXPECT_THAT(table(recording), HasSubstr("1 records are missing"));
}

// Each buffer holds some records, and they come back on threads of CUPTI.
TEST_F(RecorderTest, UsesBuffersAgain) {
    stand_in::options().delivers_on_thread = true;
    Recorder recorder({.buffer_size = 4096, .max_buffers = 2});
    for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_TRUE(stand_in::add(kernel_record("k", 1000 + i, 2000 + i, i + 1)));
    const Recording recording = recorder.stop();
    ASSERT_EQ(recording.kernels().size(), 1000u);
    EXPECT_EQ(recording.dropped().total(), 0u);
    for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(recording.kernels()[i].correlation_id, i + 1);
}

TEST_F(RecorderTest, ReceivesRecordsOfManyThreads) {
    Recorder recorder({.buffer_size = 4096});
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([] {
                for (int j = 0; j < 500; ++j) stand_in::add(kernel_record("k", 1000, 1001));
            });
        }
        for (int i = 0; i < 20; ++i) recorder.flush();
    }
    EXPECT_EQ(recorder.stop().kernels().size(), 2000u);
}

TEST_F(RecorderTest, OutlivesItsThread) {
    std::optional<Recorder> recorder;
    std::jthread([&] {
        recorder.emplace();
        const NvtxRange range("of the thread");
        stand_in::add(kernel_record("k", 1000, 1001));
    }).join();
    const Recording recording = recorder->stop();
    EXPECT_EQ(recording.kernels().size(), 1u);
    EXPECT_EQ(recording.ranges().size(), 1u);
}

TEST_F(RecorderTest, RefusesMistakes) {
    EXPECT_THAT(message_of<std::invalid_argument>([] { Recorder recorder({.buffer_size = 100}); }), HasSubstr("4096"));
    EXPECT_THROW(Recorder recorder({.max_buffers = 1}), std::invalid_argument);
    RecorderOptions nothing{
        .kernels = false, .copies = false, .fills = false, .driver_calls = false, .runtime_calls = false, .ranges = false};
    EXPECT_THAT(message_of<std::invalid_argument>([&] { Recorder recorder(nothing); }), HasSubstr("activity"));

    Recorder first;
    EXPECT_THAT(message_of<std::invalid_argument>([] { Recorder second; }), HasSubstr("stop()"));
    EXPECT_TRUE(first.is_recording());
    static_cast<void>(first.stop());
    EXPECT_FALSE(first.is_recording());
    EXPECT_THROW(static_cast<void>(first.stop()), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(first.take()), std::invalid_argument);
    EXPECT_THROW(first.flush(), std::invalid_argument);
    EXPECT_EQ(first.progress().records, 0u);
    Recorder after;  // another one can begin
    EXPECT_FALSE(is_off());
}

TEST_F(RecorderTest, NamesAnActivityThatCuptiDoesNotKnow) {
    { const Recorder warm_up; }  // the first one looks for CUPTI
    stand_in::reset();
    const RecorderOptions options{.kernels = false, .copies = false, .fills = false, .memory_operations = true};
    Recorder probe(options);
    const unsigned before = stand_in::calls() - stand_in::calls("cuptiActivityEnable");
    static_cast<void>(probe.stop());
    stand_in::reset();
    stand_in::options().status = CUPTI_ERROR_INVALID_KIND;
    stand_in::options().fail = before + 3;  // after both of the ranges
    const std::string message = message_of<Error>([&] { Recorder recorder(options); });
    EXPECT_THAT(message, HasSubstr("memory_operations"));
    EXPECT_THAT(message, HasSubstr("CUPTI_ERROR_INVALID_KIND"));
    EXPECT_TRUE(is_off());
}

TEST_F(RecorderTest, SaysThatAnotherProfilerIsAttached) {
    stand_in::options().status = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    stand_in::options().fail_from = 1;
    EXPECT_THAT(message_of<Error>([] { Recorder recorder; }), HasSubstr("Another profiler is attached"));
}

TEST_F(RecorderTest, SaysThatCuptiDoesNotFitTheDriver) {
    stand_in::options().status = CUPTI_ERROR_NOT_COMPATIBLE;
    stand_in::options().fail_from = 1;
    EXPECT_THAT(message_of<Error>([] { Recorder recorder; }), HasSubstr("nvidia-cuda-cupti"));
}

TEST_F(RecorderTest, SaysWhatIsMissing) {
    if (current_implementation(cupti::library()) != nullptr) GTEST_SKIP() << "needs a process of its own, as ctest provides";
    ::setenv("CUBIND_CUPTI_LIBRARY", "/nonexistent/libcupti.so.13", 1);
    EXPECT_THAT(message_of<LoadError>([] { Recorder recorder; }), HasSubstr("nvidia-cuda-cupti"));
}

}  // namespace
}  // namespace cubind::testing
