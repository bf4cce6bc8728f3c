// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// A known program on a GPU: what CUPTI records of it, by count, order, range and duration.
#include <cubind/core.hpp>
#include <cubind/cupti/loading.hpp>
#include <cubind/cupti/status.hpp>
#include <cubind/cupti/types.hpp>
#include <cubind/error.hpp>
#include <cubind/library.hpp>
#include <cubind/nvtx.hpp>
#include <cubind/profile.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace cubind::testing {
namespace {

using namespace profile;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// spin(unsigned long long* result, unsigned long long ns) runs for the time that its argument states.
constexpr const char* ptx = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry _Z4spinPyy(.param .u64 result, .param .u64 ns) {
    .reg .pred %p<2>;
    .reg .b64 %rd<7>;
    ld.param.u64 %rd1, [result];
    ld.param.u64 %rd2, [ns];
    mov.u64 %rd3, %globaltimer;
wait:
    mov.u64 %rd4, %globaltimer;
    sub.u64 %rd5, %rd4, %rd3;
    setp.lt.u64 %p1, %rd5, %rd2;
    @%p1 bra wait;
    st.global.u64 [%rd1], %rd5;
    ret;
}
.visible .entry nothing() { ret; }
)";

class RecorderGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (library_path(cupti::library()) == nullptr) GTEST_SKIP() << "CUPTI was not found";
        try {
            if (Device::count() == 0) GTEST_SKIP() << "there is no GPU";
        } catch (const Error&) {
            GTEST_SKIP() << "there is no driver";
        }
        device_.emplace(0);
        stream_.emplace(*device_);
        code_.emplace(ObjectCode::from_bytes(CodeType::ptx, std::string_view(ptx)));
        spin_.emplace(code_->kernel("_Z4spinPyy"));
        nothing_.emplace(code_->kernel("nothing"));
        result_.emplace(device_->allocate<unsigned long long>(*stream_, 1));
        spin(1us);  // loads the code
        stream_->synchronize();
    }

    void TearDown() override {
        if (stream_) stream_->synchronize();
    }

    void spin(Nanoseconds time) {
        launch(*stream_, {.grid = 1, .block = 1}, *spin_, *result_, static_cast<unsigned long long>(time.count()));
    }
    void launch_nothing() { launch(*stream_, {.grid = 1, .block = 32}, *nothing_); }

    std::optional<Device> device_;
    std::optional<Stream> stream_;
    std::optional<ObjectCode> code_;
    std::optional<Kernel> spin_, nothing_;
    std::optional<TypedBuffer<unsigned long long>> result_;
};

TEST_F(RecorderGpuTest, RecordsAKnownProgram) {
    Recorder recorder({.memory_operations = true, .synchronizations = true});
    TypedBuffer<std::byte> data = device_->allocate<std::byte>(*stream_, 1 << 20);
    const std::vector<std::byte> host(1 << 20);
    const TimePoint before = std::chrono::steady_clock::now();
    {
        const NvtxRange step("step", {.color = 0xFF102030, .payload = 7});
        copy(*stream_, data, host);
        {
            const NvtxRange solve("solve");
            for (int i = 0; i < 3; ++i) spin(1ms);
        }
        fill(*stream_, data, std::byte{5});
    }
    spin(2ms);
    stream_->synchronize();
    const TimePoint after = std::chrono::steady_clock::now();
    const Recording recording = recorder.stop();

    EXPECT_THAT(recording.notes(), IsEmpty());
    EXPECT_EQ(recording.dropped().total(), 0u);
    ASSERT_EQ(recording.kernels().size(), 4u);
    for (const KernelRecord& kernel : recording.kernels()) {
        EXPECT_EQ(kernel.name, "spin(unsigned long long*, unsigned long long)");
        EXPECT_EQ(kernel.symbol, "_Z4spinPyy");
        EXPECT_EQ(kernel.device, 0u);
        EXPECT_EQ(kernel.stream, recording.kernels()[0].stream);
        EXPECT_EQ(kernel.block.x, 1u);
        EXPECT_EQ(kernel.graph, 0u);
        const bool is_last = &kernel == &recording.kernels().back();
        EXPECT_GT(kernel.duration(), is_last ? 1998us : 998us);  // the kernel's clock advances in steps of a microsecond
        EXPECT_LT(kernel.duration(), is_last ? 2100us : 1100us);
        // On the host's clock.
        EXPECT_GT(kernel.start, before - 100us);
        EXPECT_LT(kernel.end, after + 100us);
        const ApiRecord* const call = recording.call_of(kernel);
        ASSERT_NE(call, nullptr);
        EXPECT_THAT(std::string(call->name), HasSubstr("cuLaunchKernel"));
        EXPECT_LT(call->start, kernel.start + 100us);
        EXPECT_EQ(call->status, 0);
        std::string stack;
        for (const RangeRecord* each : recording.range_stack(kernel)) stack.append(each->name).append("<");
        EXPECT_EQ(stack, is_last ? "" : "solve<step<");
    }
    for (std::size_t i = 1; i < 4; ++i) EXPECT_GE(recording.kernels()[i].start, recording.kernels()[i - 1].end);
    ASSERT_EQ(recording.copies().size(), 1u);
    EXPECT_EQ(recording.copies()[0].direction, CopyDirection::host_to_device);
    EXPECT_EQ(recording.copies()[0].bytes, 1u << 20);
    EXPECT_LE(recording.copies()[0].end, recording.kernels()[0].start);
    ASSERT_EQ(recording.fills().size(), 1u);
    EXPECT_EQ(recording.fills()[0].bytes, 1u << 20);
    ASSERT_EQ(recording.ranges().size(), 2u);
    ASSERT_NE(recording.range_of(recording.fills()[0]), nullptr);
    EXPECT_EQ(recording.range_of(recording.fills()[0])->name, "step");
    EXPECT_GE(recording.fills()[0].start, recording.kernels()[2].end);
    EXPECT_EQ(recording.ranges()[0].name, "step");
    EXPECT_EQ(recording.ranges()[0].color, 0xFF102030u);
    EXPECT_EQ(recording.ranges()[0].payload, 7);
    EXPECT_EQ(recording.parent_of(recording.ranges()[1]), &recording.ranges()[0]);
    std::size_t allocations = 0;
    for (const MemoryRecord& each : recording.memory_operations()) allocations += !each.is_release && each.bytes == 1 << 20;
    EXPECT_EQ(allocations, 1u);
    std::size_t waits = 0;
    for (const SynchronizationRecord& each : recording.synchronizations()) waits += each.kind == SynchronizationKind::stream;
    EXPECT_GE(waits, 1u);
    std::printf("%s%s%s", table(recording).c_str(), table(recording, Subject::copies).c_str(),
                table(recording, Subject::ranges).c_str());
}

// An event is recorded before and after the kernel, within the same stream.
TEST_F(RecorderGpuTest, AgreesWithEvents) {
    constexpr int count = 50;
    std::vector<Event> begins, ends;
    for (int i = 0; i < count; ++i) {
        begins.push_back(stream_->record({.timing_enabled = true}));
        ends.push_back(stream_->record({.timing_enabled = true}));
    }
    Recorder recorder({.driver_calls = false, .runtime_calls = false, .ranges = false});
    for (std::size_t i = 0; i < count; ++i) {
        stream_->record(begins[i]);
        spin(200us);
        stream_->record(ends[i]);
    }
    stream_->synchronize();
    const Recording recording = recorder.stop();
    ASSERT_EQ(recording.kernels().size(), std::size_t{count});
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double kernel = std::chrono::duration<double, std::micro>(recording.kernels()[i].duration()).count();
        const double event = std::chrono::duration<double, std::micro>(ends[i] - begins[i]).count();
        EXPECT_LE(kernel, event + 2) << i;
        if (i == 0) continue;  // the device may wait for the launch after the first event
        EXPECT_GT(kernel, event - 20) << i;
        largest = std::max(largest, event - kernel);
    }
    std::printf("events exceed kernels by at most %.2f us\n", largest);
}

TEST_F(RecorderGpuTest, RecordsTenThousandLaunches) {
    Recorder recorder;
    for (int i = 0; i < 10'000; ++i) launch_nothing();
    stream_->synchronize();
    const Recording recording = recorder.stop();
    EXPECT_EQ(recording.dropped().total(), 0u);
    ASSERT_EQ(recording.kernels().size(), 10'000u);
    std::size_t launches = 0;
    for (const ApiRecord& each : recording.calls()) launches += each.name.find("cuLaunchKernel") != each.name.npos;
    EXPECT_EQ(launches, 10'000u);
    const ApiRecord* previous = nullptr;
    for (const KernelRecord& each : recording.kernels()) {
        const ApiRecord* const call = recording.call_of(each);
        ASSERT_NE(call, nullptr);
        ASSERT_TRUE(previous == nullptr || previous->start < call->start);  // the order of the launches
        ASSERT_EQ(recording.kernels_of(*call).size(), 1u);
        previous = call;
    }
}

TEST_F(RecorderGpuTest, RecordsNodesOfGraphs) {
    GraphBuilder builder(*device_);
    builder.begin_building();
    launch(builder, {.grid = 1, .block = 1}, *spin_, *result_, 1000ull);
    launch(builder, {.grid = 1, .block = 32}, *nothing_);
    builder.end_building();
    Graph graph = builder.complete();
    graph.launch(*stream_);
    stream_->synchronize();
    Recorder recorder;
    for (int i = 0; i < 3; ++i) graph.launch(*stream_);
    stream_->synchronize();
    const Recording recording = recorder.stop();
    ASSERT_EQ(recording.kernels().size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
        const KernelRecord& kernel = recording.kernels()[i];
        EXPECT_EQ(kernel.name, i % 2 == 0 ? "spin(unsigned long long*, unsigned long long)" : "nothing");
        EXPECT_NE(kernel.graph, 0u);
        EXPECT_EQ(kernel.graph_node, recording.kernels()[i % 2].graph_node);
        const ApiRecord* const call = recording.call_of(kernel);
        ASSERT_NE(call, nullptr);
        EXPECT_THAT(std::string(call->name), HasSubstr("cuGraphLaunch"));
        EXPECT_EQ(recording.kernels_of(*call).size(), 2u);
    }
    EXPECT_NE(recording.kernels()[0].graph_node, recording.kernels()[1].graph_node);
}

TEST_F(RecorderGpuTest, TakesWhileTheDeviceWorks) {
    Recorder recorder;
    Recording all;
    for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 10; ++j) spin(100us);
        all.merge(Recording(recorder.take()));
    }
    stream_->synchronize();
    all.merge(recorder.stop());
    EXPECT_EQ(all.kernels().size(), 200u);
    EXPECT_EQ(all.dropped().total(), 0u);
}

TEST_F(RecorderGpuTest, CallsBack) {
    std::atomic<int> launches = 0;
    std::string kernel;
    Callbacks callbacks([&](const CallbackEvent& event) {
        if (event.site != CallbackSite::enter) return;
        ++launches;
        if (event.kernel != nullptr) kernel = event.kernel;
    });
    callbacks.enable(CallbackDomain::driver, "cuLaunchKernel");
    callbacks.enable(CallbackDomain::driver, "cuLaunchKernelEx");
    for (int i = 0; i < 5; ++i) spin(1us);
    EXPECT_EQ(launches, 5);
    EXPECT_EQ(kernel, "_Z4spinPyy");
    EXPECT_THROW((void)Callbacks([](const CallbackEvent&) {}), Error);
    callbacks.close();
    spin(1us);
    EXPECT_EQ(launches, 5);
}

// A fill of 256 MiB writes them once, through a cache that is smaller.
TEST_F(RecorderGpuTest, MeasuresMetrics) {
    constexpr std::size_t size = 256u << 20;
    TypedBuffer<std::byte> data = device_->allocate<std::byte>(*stream_, size);
    stream_->synchronize();
    std::size_t runs = 0;
    try {
        const Metrics measured =
            metrics(device_->context(), {"dram__bytes_write.sum", "sm__cycles_elapsed.max", "smsp__inst_executed.sum"}, [&] {
                ++runs;
                fill(*stream_, data, std::byte{1});
                spin(1ms);
            });
        for (const auto& [name, value] : measured.values())
            std::printf("%s = %.6g, %zu passes\n", name.c_str(), value, measured.passes());
        EXPECT_EQ(measured.passes(), runs);
        EXPECT_GT(measured["dram__bytes_write.sum"], 0.5 * size);
        EXPECT_LT(measured["dram__bytes_write.sum"], 2.0 * size);
        EXPECT_GT(measured["sm__cycles_elapsed.max"], 500'000);  // a millisecond at 0.5 GHz
        EXPECT_GT(measured["smsp__inst_executed.sum"], 1000);
        EXPECT_THAT([&] { static_cast<void>(metrics(device_->context(), {"no_such_metric.sum"}, [] {})); },
                    ::testing::Throws<Error>());
    } catch (const Error& error) {
        if (error.code() != cupti::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES) throw;
        EXPECT_THAT(error.what(), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
        GTEST_SKIP() << error.what();
    }
}

}  // namespace
}  // namespace cubind::testing
