// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include "code_test.hpp"

namespace cubind::testing {
namespace {

/// A program that captures a stream with the driver alone, in the mode that forbids most calls. The objects of cubind::core must
/// make no internal call that invalidates the capture.
class ForeignCaptureTest : public CodeTest {
protected:
    void SetUp() override {
        CodeTest::SetUp();
        check(driver::cuStreamBeginCapture(captured_.native_handle(), driver::CU_STREAM_CAPTURE_MODE_GLOBAL));
    }

    void TearDown() override {
        EXPECT_EQ(driver::cuStreamIsCapturing(captured_.native_handle()).value, driver::CU_STREAM_CAPTURE_STATUS_ACTIVE);
        const auto ended = driver::cuStreamEndCapture(captured_.native_handle());
        EXPECT_EQ(ended.status, driver::CUDA_SUCCESS);
        EXPECT_EQ(driver::cuGraphDestroy(ended.value).status, driver::CUDA_SUCCESS);
        CodeTest::TearDown();
    }

    Stream captured_{Device(0)};
    Stream stream_{Device(0)};
};

TEST_F(ForeignCaptureTest, SurvivesQueriesOfTheDevice) {
    const Device device;
    (void)device.name();
    (void)device.properties().multiprocessor_count();
    (void)device.context();
    (void)device.memory_info();
    (void)device.limit(driver::CU_LIMIT_STACK_SIZE);
    (void)Device(1).primary_context();
    (void)Device(1).memory_resource();
}

TEST_F(ForeignCaptureTest, SurvivesTheFirstUseOfCode) {
    const ObjectCode one = code();
    const Kernel saxpy = one.kernel("saxpy");
    (void)saxpy.parameters();
    (void)saxpy.attributes().num_regs();
    (void)one.global("counter");
    launch(stream_, {}, saxpy, 1.0f, nullptr, nullptr, std::size_t{0});
    launch(stream_, {.shared_memory_size = 64 << 10}, one.kernel("tiled"));
}

TEST_F(ForeignCaptureTest, SurvivesTheLifeOfObjects) {
    const Event event = stream_.record();
    Stream(Device(0)).wait(event);
    const DeviceMemoryResource pool(Device(0), {.max_size = 4096});
    (void)pool.attributes().used_mem_current();
    GraphBuilder builder(Device(0));
    builder.begin_building();
    launch(builder, {}, code().kernel("tiled"));
    builder.end_building();
    const Graph graph = builder.complete();
}

TEST_F(ForeignCaptureTest, SurvivesTheEndOfSynchronousMemory) {
    (void)LegacyPinnedMemoryResource().allocate(stream_, 64);
}

}  // namespace
}  // namespace cubind::testing
