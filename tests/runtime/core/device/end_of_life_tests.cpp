// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Objects that outlive their context, and close() that fails.

#include <cubind/driver/context.hpp>

#include "context_lifetime.hpp"
#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace faults = layers::faults;

// ---- objects that outlive their context ----------------------------------------------------------------------------------

class OutlivingObjectsTest : public CoreTest {
protected:
    // Calls with handles whose context was destroyed fail, which these tests permit.
    void TearDown() override {
        (void)FailedCalls::get().take();
        CoreTest::TearDown();
    }
};

TEST_F(OutlivingObjectsTest, ReportNothingAndFreeMemoryOfPools) {
    {
        Context context(Device(0));
        const ObjectsOfAContext objects(context);
        EXPECT_EQ(used_by_default_pool(), 64u);
        context.close();
    }
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
    EXPECT_EQ(used_by_default_pool(), 0u) << "the memory of pools belongs to no context";
}

TEST_F(OutlivingObjectsTest, ReportNothingAfterAnotherLibraryDestroyedTheContext) {
    (void)Device(0);  // initializes the driver
    const driver::CUcontext context = check(driver::cuCtxCreate_v2(0, 0));
    check(driver::cuCtxPopCurrent());
    {
        const ObjectsOfAContext objects{ContextRef(context)};
        check(driver::cuCtxDestroy(context));
    }
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
    EXPECT_EQ(used_by_default_pool(), 0u);
}

TEST_F(OutlivingObjectsTest, ReportNothingAfterAResetOfThePrimaryContext) {
    for (const bool is_used_again : {false, true}) {
        {
            const ObjectsOfAContext objects(Device(0).primary_context());
            check(driver::cuDevicePrimaryCtxReset(0));
            if (is_used_again) (void)Stream(Device(0));
        }
        EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
        EXPECT_EQ(used_by_default_pool(), 0u);
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

    /// Closes the object while `function` fails. The driver destroys an object even if it reports a failure, so the function must
    /// not be called again.
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
