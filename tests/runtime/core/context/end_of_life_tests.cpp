// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Objects that outlive their context, and close() that fails.

#include <cubind/check.hpp>
#include <cubind/core/buffer.hpp>
#include <cubind/core/device_memory_resource.hpp>
#include <cubind/core/event.hpp>
#include <cubind/core/graph_builder.hpp>
#include <cubind/core/pinned_memory_resource.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/primary_context.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>

#include <optional>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace faults = layers::faults;

std::uint64_t used() {
    return DeviceMemoryResource(Device(0)).attributes().used_mem_current();
}

// ---- objects that outlive their context ----------------------------------------------------------------------------------

/// One object of each class in a context.
struct Objects {
    explicit Objects(ContextRef context)
        : scope(std::in_place, context),
          stream(context),
          foreign(check(driver::cuStreamCreate(0))),
          event(stream.record()),
          graph(GraphBuilder(Device()).begin_building().end_building().complete()),
          building(Device()),
          pool(Device(), {.max_size = 1024}),
          of_stream(Device().allocate(stream, 16)),
          of_foreign_stream(Device().allocate(foreign, 16)),
          of_default_stream(Device().allocate(StreamRef::legacy_default(), 16)),
          of_thread(Device().allocate(StreamRef::per_thread_default(), 16)),
          of_pool(pool.allocate(stream, 16)),
          pinned(LegacyPinnedMemoryResource().allocate(stream, 16)) {
        building.begin_building();
        graph.launch(stream);
        graph.launch(foreign);
        retained = detail::share(of_stream);
        scope.reset();
    }

    std::optional<ScopedContext> scope;
    Stream stream;
    StreamRef foreign;
    Event event;
    Graph graph;
    GraphBuilder building;
    DeviceMemoryResource pool;
    Buffer of_stream, of_foreign_stream, of_default_stream, of_thread, of_pool, pinned;
    std::shared_ptr<const void> retained;
};

class OutlivingObjectsTest : public CoreTest {};

TEST_F(OutlivingObjectsTest, ReportNothingAndFreeMemoryOfPools) {
    {
        Context context(Device(0));
        const Objects objects(context);
        EXPECT_EQ(used(), 64u);
        context.close();
    }
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
    EXPECT_EQ(used(), 0u) << "the memory of pools belongs to no context";
}

TEST_F(OutlivingObjectsTest, ReportNothingAfterAnotherLibraryDestroyedTheContext) {
    (void)Device(0);  // initializes the driver
    const driver::CUcontext context = check(driver::cuCtxCreate_v2(0, 0));
    check(driver::cuCtxPopCurrent());
    {
        const Objects objects{ContextRef(context)};
        check(driver::cuCtxDestroy(context));
    }
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
    EXPECT_EQ(used(), 0u);
}

TEST_F(OutlivingObjectsTest, ReportNothingAfterAResetOfThePrimaryContext) {
    for (const bool is_used_again : {false, true}) {
        {
            const Objects objects(Device(0).primary_context());
            check(driver::cuDevicePrimaryCtxReset(0));
            if (is_used_again) (void)Stream(Device(0));
        }
        EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
        EXPECT_EQ(used(), 0u);
    }
}

TEST_F(OutlivingObjectsTest, ReportNothingAfterTheyWereMovedAndAssigned) {
    Context context(Device(0));
    Stream stream(context);
    Event event(context);
    context = Context();
    stream = Stream(Device(0));
    event = Event(Device(0));
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
}

// ---- close() -------------------------------------------------------------------------------------------------------------

class CloseTest : public CoreTest {
protected:
    void TearDown() override {
        faults::stop();
        CoreTest::TearDown();
    }

    /// Closes the object while the function fails. The driver has destroyed the object then, and must not be asked again.
    template <class Object>
    static void expect_one_call(const std::string& function, Object object) {
        faults::start();
        faults::fail(function, driver::CUDA_ERROR_LAUNCH_FAILED);
        EXPECT_THAT(message_of<Error>([&] { object.close(); }),
                    ::testing::AllOf(HasSubstr(function), HasSubstr("CUDA_ERROR_LAUNCH_FAILED")));
        EXPECT_TRUE(object.is_closed());
        EXPECT_NO_THROW(object.close());
        { const Object ended = std::move(object); }
        EXPECT_EQ(faults::calls(function), 1u) << function;
        EXPECT_THAT(taken_cleanup_messages(), IsEmpty()) << function;
        faults::stop();
    }
};

TEST_F(CloseTest, DestroysTheHandleOnceIfItFails) {
    const Device device;
    const Stream stream(device);
    expect_one_call("cuStreamDestroy", Stream(device));
    expect_one_call("cuEventDestroy", Event(device));
    expect_one_call("cuCtxDestroy", Context(device));
    expect_one_call("cuGraphExecDestroy", GraphBuilder(device).begin_building().end_building().complete());
    expect_one_call("cuMemFreeAsync", device.allocate(stream, 16));
    expect_one_call("cuMemFreeHost", LegacyPinnedMemoryResource().allocate(stream, 16));
}

TEST_F(CloseTest, LeavesAStreamThatABufferRetains) {
    const Device device;
    Stream stream(device);
    Buffer buffer = device.allocate(stream, 16);
    faults::start();
    faults::fail("cuStreamDestroy", driver::CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_NO_THROW(stream.close());
    EXPECT_TRUE(stream.is_closed());
    buffer.close();
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(HasSubstr("destroy a stream")));
    EXPECT_EQ(faults::calls("cuStreamDestroy"), 1u);
}

}  // namespace
}  // namespace cubind::testing
