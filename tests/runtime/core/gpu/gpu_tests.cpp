// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Tests on a GPU of behavior that depends on the driver: lifetimes, captures and access between devices. The tests on
// simulated devices cover the same behavior in detail.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/core/device/simulation.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cleanup_failures.hpp"
#include "waiting_launches.hpp"

namespace cubind::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr const char* add_ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry add(.param .u64 data, .param .u32 amount) {
    .reg .u64 %address<4>;
    .reg .u32 %value<4>;
    ld.param.u64 %address1, [data];
    ld.param.u32 %value1, [amount];
    mov.u32 %value2, %tid.x;
    mul.wide.u32 %address2, %value2, 4;
    add.u64 %address1, %address1, %address2;
    ld.global.u32 %value3, [%address1];
    add.u32 %value3, %value3, %value1;
    st.global.u32 [%address1], %value3;
    ret;
}
)";

class CoreGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (const auto started = driver::cuInit(0); !started.ok()) {
            GTEST_SKIP() << "there is no usable GPU: cuInit returns " << driver::to_string(started.status);
        }
        count_cleanup_failures();
        device.emplace(0);
        device->set_current();
        stream.emplace(*device);
    }
    void TearDown() override {
        stream.reset();
        EXPECT_EQ(cleanup_failures, 0) << "a resource was not released";
    }

    std::optional<Device> device;
    std::optional<Stream> stream;
};

TEST_F(CoreGpuTest, IsNotSimulated) {
    EXPECT_FALSE(is_simulated_driver());
}

TEST_F(CoreGpuTest, AllocatesAndFreesBuffersWhileABuilderCaptures) {
    for (const CaptureMode mode : {CaptureMode::global, CaptureMode::this_thread, CaptureMode::relaxed}) {
        Buffer before = device->allocate(*stream, 1 << 20);
        Buffer ends_elsewhere = device->allocate(*stream, 1 << 20);
        const DeviceMemoryResource pool(*device, {.max_size = std::size_t{1} << 26});
        GraphBuilder builder(*device);
        builder.begin_building(mode);
        std::thread([&] {
            const Buffer ended = std::move(ends_elsewhere);
            const Buffer during = device->allocate(*stream, 1 << 20);
            const Buffer of_pool = pool.allocate(*stream, 1 << 20);
        }).join();
        { const Buffer during = device->allocate(*stream, 1 << 20); }
        { const DeviceMemoryResource another(*device, {.max_size = std::size_t{1} << 26}); }
        before.close();
        EXPECT_NO_THROW(builder.end_building()) << static_cast<int>(mode);
    }
}

TEST_F(CoreGpuTest, DestroysGraphsWhileABuilderCaptures) {
    expect_retained_while_capturing(*stream);
}

TEST_F(CoreGpuTest, RetainsObjectsOfGraphsUntilTheirLaunchesAreDone) {
    expect_retained_until_done(*stream);
    expect_retained_until_done_on_foreign_streams();
}

TEST_F(CoreGpuTest, LetsGraphsAndBuffersOutliveTheirStreams) {
    const auto held = std::make_shared<std::atomic<int>>(0);
    {
        const Graph graph = counting(held).complete();
        graph.launch(Stream(*device));
        const driver::CUstream foreign = check(driver::cuStreamCreate(0));
        graph.launch(foreign);
        check(driver::cuStreamDestroy(foreign));
        graph.launch(Stream(*device));
        const Buffer buffer = device->allocate(Stream(*device), 1024);
    }
    Device().synchronize();
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_EQ(*held, 3);
}

TEST_F(CoreGpuTest, RetainsCodeAndBuffersOfAGraph) {
    constexpr std::size_t threads = 64;
    std::vector<unsigned int> values(threads, 1);
    TypedBuffer<unsigned int> data = device->allocate<unsigned int>(*stream, threads);
    copy(*stream, data, values);
    std::optional<Graph> graph;
    {
        const Kernel add = ObjectCode::from_bytes(CodeType::ptx, std::string_view(add_ptx)).kernel("add");
        TypedBuffer<unsigned int> scratch = device->allocate<unsigned int>(*stream, threads);
        fill(*stream, scratch, 10u);
        stream->synchronize();
        GraphBuilder builder(*device);
        builder.begin_building();
        launch(builder, {.block = threads}, add, scratch, 1u);
        copy(builder, data, scratch);
        launch(builder, {.block = threads}, add, data, 100u);
        graph.emplace(builder.end_building().complete());
    }
    TypedBuffer<unsigned int> other =
        device->allocate<unsigned int>(*stream, threads);  // would reuse the scratch memory if that were free
    fill(*stream, other, 7u);
    graph->launch(*stream);
    graph->launch(*stream);
    graph.reset();
    copy(*stream, values, data);
    stream->synchronize();
    EXPECT_THAT(values, Each(112u));
}

TEST_F(CoreGpuTest, RetainsObjectsInTheDriverForANativeHandle) {
    const auto held = std::make_shared<std::atomic<int>>(0);
    driver::CUgraphExec foreign = nullptr;
    {
        const GraphBuilder builder = counting(held);
        foreign = check(driver::cuGraphInstantiateWithFlags(builder.native_handle(), 0));
    }
    check(driver::cuGraphLaunch(foreign, stream->native_handle()));
    stream->synchronize();
    EXPECT_EQ(held.use_count(), 2);
    check(driver::cuGraphExecDestroy(foreign));
    EXPECT_TRUE(eventually([&] {
        Device().synchronize();
        return held.use_count() == 1;
    })) << "the driver releases the object asynchronously";
    EXPECT_EQ(*held, 1);
}

TEST_F(CoreGpuTest, CopiesAndFillsVariablesOfCode) {
    const ObjectCode code = ObjectCode::from_bytes(CodeType::ptx, std::string_view(R"(
.version 7.0
.target sm_75
.address_size 64
.visible .const .align 4 .b8 table[16];
.visible .global .align 4 .u32 counter = 7;
.visible .entry empty() { ret; }
)"));
    unsigned int counter = 0;
    copy(*stream, counter, code.global<unsigned int>("counter", *device));
    const std::vector<unsigned int> numbers{1, 2, 3, 4};
    std::vector<unsigned int> results(4);
    copy(*stream, code.global<unsigned int[4]>("table", *device), numbers);
    copy(*stream, results, code.global<unsigned int[4]>("table", *device));
    stream->synchronize();
    EXPECT_EQ(counter, 7u);
    EXPECT_EQ(results, numbers);
    fill(*stream, code.global<unsigned int[4]>("table", *device), 9);
    fill(*stream, code.global<unsigned int>("counter", *device), std::byte{1});
    copy(*stream, results, code.global<unsigned int[4]>("table", *device));
    copy(*stream, counter, code.global<unsigned int>("counter", *device));
    stream->synchronize();
    EXPECT_THAT(results, Each(9u));
    EXPECT_EQ(counter, 0x01010101u);
}

TEST_F(CoreGpuTest, CopiesBetweenDevicesWithoutPeerAccess) {
    if (Device::count() < 2) GTEST_SKIP() << "there is only one device";
    const Device other(1);
    const Stream on_other(other);
    const std::vector<unsigned int> values(1 << 18, 42);
    TypedBuffer<unsigned int> here = device->allocate<unsigned int>(*stream, values.size());
    TypedBuffer<unsigned int> there = other.allocate<unsigned int>(on_other, values.size());
    on_other.synchronize();
    for (const ContextRef current : {ContextRef(), device->primary_context(), other.primary_context()}) {
        current.set_current();
        for (const StreamRef through : {StreamRef(*stream), StreamRef(on_other)}) {
            std::vector<unsigned int> results(values.size());
            copy(*stream, here, values);
            fill(on_other, there, 0u);
            stream->synchronize();
            on_other.synchronize();
            copy(through, there, here);
            through.synchronize();
            copy(through, results, there);
            through.synchronize();
            EXPECT_EQ(results, values);
            EXPECT_EQ(ContextRef::current(), current);
        }
    }
}

TEST_F(CoreGpuTest, ReportsMemoryThatADeviceCannotAccess) {
    if (Device::count() < 2) GTEST_SKIP() << "there is only one device";
    const Device other(1);
    const Stream on_other(other);
    const DeviceMemoryResource pool(*device, {.max_size = 1 << 26});
    Buffer here = pool.allocate(*stream, 4096);
    stream->synchronize();
    const Kernel add = ObjectCode::from_bytes(CodeType::ptx, std::string_view(add_ptx)).kernel("add");
    const auto names_the_function = HasSubstr("device 1 cannot access without allow_peer_access(Device(1)) of its pool");
    for (const ContextRef current : {ContextRef(), device->primary_context(), other.primary_context()}) {
        current.set_current();
        EXPECT_THAT(message_of<std::exception>([&] { fill(on_other, here, 1u); }), names_the_function);
    }
    EXPECT_THAT(message_of<std::exception>([&] { launch_validated(on_other, {}, add, here, 1u); }), names_the_function);
    if (!other.can_access_peer(*device)) return;
    pool.allow_peer_access(other);
    fill(on_other, here, 1u);
    launch_validated(on_other, {.block = 64}, add, here, 1u);
    on_other.synchronize();
}

TEST_F(CoreGpuTest, ReportsWhyThereIsNoTimeBetweenEvents) {
    const Event without = stream->record();
    const Event with = stream->record({.timing_enabled = true});
    const Event never(*device, {.timing_enabled = true});
    stream->synchronize();
    const auto why = [](EventRef later, EventRef earlier) {
        return message_of<std::invalid_argument>([&] { (void)(later - earlier); });
    };
    EXPECT_THAT(why(with, without), HasSubstr("the earlier one"));
    EXPECT_THAT(why(without, with), HasSubstr("the later one"));
    EXPECT_THAT(why(never, with), HasSubstr("the later one"));
    EXPECT_GE((with - with).count(), 0.0F);
}

}  // namespace
}  // namespace cubind::testing
