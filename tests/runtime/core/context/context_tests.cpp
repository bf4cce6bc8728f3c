// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/context.hpp>
#include <cubind/core/stream.hpp>

#include <utility>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

class ContextTest : public CoreTest {};

TEST_F(ContextTest, NoneIsCurrentAtFirst) {
    EXPECT_FALSE(ContextRef::current());
    EXPECT_THROW(ContextRef(nullptr).synchronize(), std::invalid_argument);
    EXPECT_THROW((void)ScopedContext{ContextRef(nullptr)}, std::invalid_argument);
}

TEST_F(ContextTest, SettingItCurrentGivesTheFormerOne) {
    const ContextRef first = Device(0).primary_context();
    const ContextRef second = Device(1).primary_context();
    EXPECT_FALSE(first.set_current());
    EXPECT_TRUE(first.is_current());
    EXPECT_EQ(second.set_current(), first);
    EXPECT_EQ(ContextRef(nullptr).set_current(), second);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ContextTest, AScopeRestoresWhatWasCurrent) {
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

TEST_F(ContextTest, ACreatedOneIsNotCurrentAndHasItsOwnStreams) {
    const Context context(Device(1), {.scheduling = driver::CU_CTX_SCHED_YIELD, .keeps_local_memory = true});
    EXPECT_FALSE(ContextRef::current());
    EXPECT_EQ(context.device(), Device(1));
    EXPECT_NE(context, Device(1).primary_context());
    EXPECT_NE(context.id(), Device(1).primary_context().id());
    EXPECT_EQ(context.flags() & driver::CU_CTX_SCHED_YIELD, driver::CU_CTX_SCHED_YIELD);
    EXPECT_EQ(context.flags() & driver::CU_CTX_LMEM_RESIZE_TO_MAX, driver::CU_CTX_LMEM_RESIZE_TO_MAX);
    const Stream in_it(context);
    EXPECT_EQ(in_it.context(), context);
    const ScopedContext scope(context);
    EXPECT_EQ(Stream(Device(1)).context(), context);  // what is current counts, if it is this device's
    EXPECT_EQ(Stream(Device(0)).context(), Device(0).primary_context());
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

TEST_F(ContextTest, MovedFromAndClosedOnesRefuseEveryUse) {
    Context first(Device(0));
    Context second = std::move(first);
    EXPECT_THROW((void)first.device(), std::invalid_argument);
    second.close();
    second.close();
    EXPECT_THROW((void)second.flags(), std::invalid_argument);
    Context third(Device(0));
    const Context fourth = Context::from_native_handle(third.release());
    EXPECT_EQ(fourth.device(), Device(0));
}

TEST_F(ContextTest, EveryCallMayFail) {
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
    }), 8u);
}

}  // namespace
}  // namespace cubind::testing
