// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/device/context.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/context.hpp>

#include <unordered_set>
#include <utility>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

class ContextTest : public CoreTest {};

TEST_F(ContextTest, IsNotCurrentAtFirst) {
    EXPECT_FALSE(ContextRef::current());
    EXPECT_FALSE(ContextRef());
    EXPECT_EQ(ContextRef(), ContextRef(ContextRef::Handle()));
    EXPECT_THAT(message_of<std::invalid_argument>([] { ContextRef().synchronize(); }), ::testing::HasSubstr("no context"));
    EXPECT_THROW((void)ScopedContext{ContextRef()}, std::invalid_argument);
}

TEST_F(ContextTest, ReturnsThePreviousContextWhenSetCurrent) {
    const ContextRef first = Device(0).primary_context();
    const ContextRef second = Device(1).primary_context();
    EXPECT_FALSE(first.set_current());
    EXPECT_TRUE(first.is_current());
    EXPECT_EQ(second.set_current(), first);
    EXPECT_EQ(ContextRef().set_current(), second);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ContextTest, ResetsPersistingLinesOfTheCache) {
    const ContextRef context = Device(1).primary_context();
    layers::faults::start();
    context.reset_persisting_l2_cache();
    EXPECT_EQ(layers::faults::calls("cuCtxResetPersistingL2Cache"), 1u);
    layers::faults::stop();
    EXPECT_FALSE(ContextRef::current());
    EXPECT_THROW(ContextRef().reset_persisting_l2_cache(), std::invalid_argument);
}

TEST_F(ContextTest, ReportsAFailureOfEachCallOfTheReset) {
    const ContextRef context = Device(1).primary_context();
    EXPECT_EQ(sweep([&] { context.reset_persisting_l2_cache(); }), 4u);
}

TEST_F(ContextTest, IsRestoredAtTheEndOfAScope) {
    const ContextRef first = Device(0).primary_context();
    const ContextRef second = Device(1).primary_context();
    {
        const ScopedContext outer(first);
        {
            const ScopedContext inner(second);
            const ScopedContext again(second);
            EXPECT_TRUE(second.is_current());
        }
        EXPECT_TRUE(first.is_current());
    }
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ContextTest, IsNotCurrentAfterCreationAndHasItsOwnStreams) {
    const Context context(Device(1), {.scheduling = driver::CU_CTX_SCHED_YIELD, .retain_local_memory = true});
    EXPECT_FALSE(ContextRef::current());
    EXPECT_EQ(context.device(), Device(1));
    EXPECT_NE(context, Device(1).primary_context());
    EXPECT_NE(context.id(), Device(1).primary_context().id());
    EXPECT_EQ(context.flags() & driver::CU_CTX_SCHED_YIELD, driver::CU_CTX_SCHED_YIELD);
    EXPECT_EQ(context.flags() & driver::CU_CTX_LMEM_RESIZE_TO_MAX, driver::CU_CTX_LMEM_RESIZE_TO_MAX);
    const Stream stream(context);
    EXPECT_EQ(stream.context(), context);
    const ScopedContext scope(context);
    EXPECT_EQ(Stream(Device(1)).context(), context);  // the current context is used if it belongs to this device
    EXPECT_EQ(Stream(Device(0)).context(), Device(0).primary_context());
}

TEST_F(ContextTest, LeavesTheStackOfContextsAsItWas) {
    const ContextRef primary = Device(0).primary_context();
    { const Context alone(Device(0)); }
    EXPECT_FALSE(ContextRef::current());
    check(driver::cuCtxPushCurrent(primary.native_handle()));  // as another library does
    {
        const Context first(Device(1));
        const Context second(Device(0));
        EXPECT_TRUE(primary.is_current());
    }
    EXPECT_EQ(check(driver::cuCtxPopCurrent()), primary.native_handle());
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ContextTest, HasLimitsAndPriorities) {
    const ContextRef context = Device(1).primary_context();
    context.set_limit(driver::CU_LIMIT_STACK_SIZE, 4096);
    EXPECT_EQ(context.limit(driver::CU_LIMIT_STACK_SIZE), 4096u);
    EXPECT_NE(Device(0).primary_context().limit(driver::CU_LIMIT_STACK_SIZE), 4096u);
    EXPECT_LE(context.priority_range().greatest, context.priority_range().least);
    context.set_cache_config(driver::CU_FUNC_CACHE_PREFER_L1);
    EXPECT_EQ(context.cache_config(), driver::CU_FUNC_CACHE_PREFER_L1);
    context.synchronize();
    EXPECT_FALSE(ContextRef::current());
    EXPECT_THROW(context.set_limit(driver::CUlimit(999), 1), Error);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ContextTest, RejectsEveryUseOfAnEmptyContext) {
    Context first(Device(0));
    Context second = std::move(first);
    EXPECT_THROW((void)first.device(), std::invalid_argument);
    second.close();
    second.close();
    EXPECT_THROW((void)second.flags(), std::invalid_argument);
    Context third(Device(0));
    const Context fourth = Context::from_native_handle(third.release());
    EXPECT_EQ(fourth.device(), Device(0));
    Context fifth;
    EXPECT_TRUE(fifth.is_closed());
    EXPECT_THROW(fifth.synchronize(), std::invalid_argument);
}

TEST_F(ContextTest, IsAKeyOfUnorderedContainers) {
    const std::unordered_set<ContextRef> contexts{ContextRef(), Device(0).primary_context(), Device(1).primary_context(),
                                                  Device(0).context()};
    EXPECT_EQ(contexts.size(), 3u);
    std::unordered_set<Context> owned;
    owned.insert(Context(Device(0)));
    EXPECT_EQ(owned.size(), 1u);
}

TEST_F(ContextTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([] {
                  Context context(Device(1));
                  const ScopedContext scope(context);
                  context.set_limit(driver::CU_LIMIT_STACK_SIZE, 1024);
                  (void)context.limit(driver::CU_LIMIT_STACK_SIZE);
                  (void)context.id();
                  (void)context.device();
                  (void)context.flags();
                  (void)context.priority_range();
                  context.set_cache_config(context.cache_config());
                  context.synchronize();
                  (void)context.set_current();
              }),
              8u);
}

}  // namespace
}  // namespace cubind::testing
