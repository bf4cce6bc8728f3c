// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/core/graph/graph_builder.hpp>

#include <cstdint>
#include <memory>
#include <optional>

#include "gate.hpp"
#include "math_test.hpp"
#include "plan/call_order.hpp"
#include "plan/library_object.hpp"
#include "plan/workspace.hpp"

namespace cubind::testing {
namespace {

using math::detail::CallOrder;
using math::detail::LibraryObject;
using math::detail::Workspace;
using ::testing::AllOf;
using ::testing::HasSubstr;

class CallOrderTest : public CoreTest {
protected:
    static inline int destroyed = 0;
    static inline ContextRef context_of_destruction = {};

    CallOrderTest() { destroyed = 0; }
    static std::shared_ptr<LibraryObject> object() {
        return LibraryObject::own(Device(0).primary_context(), 42, [](std::uintptr_t handle) noexcept {
            if (handle == 42) ++destroyed;
            context_of_destruction = ContextRef::current();
        });
    }

    Stream stream_{Device(0)};
    Stream second_{Device(0)};
};

TEST_F(CallOrderTest, MakesAStreamWaitForTheCallBefore) {
    CallOrder order;
    EXPECT_EQ(order.record(), std::nullopt);
    {
        const Gate gate(stream_);
        EXPECT_TRUE(order.follow("plan", stream_));
        EXPECT_FALSE(order.follow("plan", stream_));
        EXPECT_TRUE(order.follow("plan", second_));
        EXPECT_FALSE(second_.is_done());
        EXPECT_FALSE(order.record()->is_done());
    }
    second_.synchronize();
    const Gate gate(second_);
    order.begin(stream_);
    EXPECT_TRUE(stream_.is_done()) << "a new thing waits for nothing";
}

TEST_F(CallOrderTest, DoesNotJoinTheCaptureOfTheCallBefore) {
    CallOrder order;
    EXPECT_FALSE(order.is_latest_captured(second_));
    order.begin(stream_);
    GraphBuilder builder(stream_);
    builder.begin_building();
    EXPECT_TRUE(order.is_latest_captured(second_));
    EXPECT_FALSE(order.is_latest_captured(stream_));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { order.follow("plan", second_); }),
                AllOf(HasSubstr("plan: "), HasSubstr("end the capture")));
    EXPECT_FALSE(second_.is_capturing());
    EXPECT_EQ(order.latest(), stream_) << "a refused call is none";
    builder.end_building();
    EXPECT_FALSE(order.is_latest_captured(second_));
    EXPECT_TRUE(order.follow("plan", second_));
}

TEST_F(CallOrderTest, DoesNotUseAStreamThatHasEnded) {
    CallOrder order;
    {
        const Stream stream{Device(1)};
        order.begin(stream);
        EXPECT_FALSE(order.has_ended());
        Device(1).reset();
    }
    EXPECT_TRUE(order.has_ended());
    EXPECT_EQ(order.record(), std::nullopt);
    EXPECT_TRUE(order.follow("plan", Stream{Device(1)}));
    (void)FailedCalls::get().take();
}

TEST_F(CallOrderTest, KeepsMemoryWhoseContentsCallsShare) {
    Workspace workspace(Device(0), std::nullopt);
    void* const kept = workspace.keep("solve", stream_, 100);
    EXPECT_EQ(workspace.keep("solve", second_, 100), kept);
    EXPECT_EQ(workspace.keep("solve", stream_, 50), kept);
    {
        GraphBuilder builder{Device(0)};
        builder.begin_building();
        EXPECT_EQ(workspace.keep("solve", builder, 100), kept) << "captured work uses the same memory";
        builder.end_building();
    }
    GraphBuilder builder(stream_);
    builder.begin_building();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)workspace.keep("solve", second_, 100); }),
                HasSubstr("end the capture"));
    builder.end_building();
    EXPECT_EQ(workspace.keep("solve", second_, 100), kept);
}

// ---- objects of libraries ------------------------------------------------------------------------------------------------

class LibraryObjectTest : public CallOrderTest {};

TEST_F(LibraryObjectTest, DestroysAnObjectAtOnceIfNothingUsesIt) {
    auto owned = object();
    EXPECT_EQ(owned->handle(), 42u);
    LibraryObject::release(owned, CallOrder());
    EXPECT_EQ(owned, nullptr);
    EXPECT_EQ(destroyed, 1);
    EXPECT_EQ(context_of_destruction, Device(0).primary_context());
    LibraryObject::release(owned, CallOrder());  // there is none
}

TEST_F(LibraryObjectTest, DestroysAnObjectAfterTheWorkThatUsesIt) {
    auto owned = object();
    CallOrder order;
    order.begin(stream_);
    {
        const Gate gate(stream_);
        LibraryObject::release(owned, order);  // does not wait
        EXPECT_EQ(destroyed, 0);
    }
    stream_.synchronize();
    destroy_deferred_objects();
    EXPECT_EQ(destroyed, 1);
}

TEST_F(LibraryObjectTest, DestroysAnObjectAfterItsOtherOwners) {
    auto owned = object();
    std::shared_ptr<const void> of_a_graph = owned;
    LibraryObject::release(owned, CallOrder());
    EXPECT_EQ(destroyed, 0);
    of_a_graph.reset();
    destroy_deferred_objects();
    EXPECT_EQ(destroyed, 1);
}

TEST_F(LibraryObjectTest, DoesNotDestroyAnObjectOfAContextThatHasEnded) {
    auto owned = object();
    stream_.close();
    second_.close();
    Device(0).reset();
    LibraryObject::release(owned, CallOrder());
    destroy_deferred_objects();
    EXPECT_EQ(destroyed, 0);
    (void)FailedCalls::get().take();
    (void)taken_cleanup_messages();
}

}  // namespace
}  // namespace cubind::testing
