// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/driver/memory.hpp>

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "math_test.hpp"
#include "plan/checked.hpp"
#include "plan/handle_pool.hpp"
#include "plan/plan_state.hpp"

namespace cubind::math::detail {

template <>
struct StatusTraits<driver::CUresult> {
    static constexpr const char* package = "nvidia-driver";
    static constexpr auto out_of_memory = driver::CUDA_ERROR_OUT_OF_MEMORY;
    static std::string advice(driver::CUresult status) {
        return status == driver::CUDA_ERROR_INVALID_VALUE ? "Pass another." : "";
    }
};

}  // namespace cubind::math::detail

namespace cubind::testing {
namespace {

using math::detail::IdleHandles;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A library whose handles are counted.
struct Counted {
    using Handle = int*;
    static int* create(driver::CUstream) {
        if (fails) throw std::runtime_error("no handle");
        const std::lock_guard lock(mutex);
        return *living.insert(new int(++created)).first;
    }
    static void destroy(int* handle) noexcept {
        const std::lock_guard lock(mutex);
        contexts_of_destruction.insert(ContextRef::current().native_handle());
        living.erase(handle);
        delete handle;
    }

    static inline std::mutex mutex;
    static inline std::set<int*> living;
    static inline std::set<driver::CUcontext> contexts_of_destruction;
    static inline int created = 0;
    static inline bool fails = false;
};

class HandlePoolTest : public CoreTest {
protected:
    HandlePoolTest() {
        Counted::created = 0;
        Counted::contexts_of_destruction.clear();
    }
    ~HandlePoolTest() override {
        for (int* each : Counted::living) delete each;
        Counted::living.clear();
    }

    /// Takes a handle for a stream and gives it back. Returns its number.
    static int use(StreamRef stream) {
        const ContextRef context = stream.context();
        const ScopedContext scope(context);
        const math::detail::PooledHandle<Counted> handle(context.native_handle(), stream.native_handle());
        return *handle.get();
    }
};

TEST_F(HandlePoolTest, KeepsAHandleForEachStream) {
    const Stream first{Device(0)}, second{Device(0)}, other{Device(1)};
    EXPECT_EQ(use(first), 1);
    EXPECT_EQ(use(first), 1);
    EXPECT_EQ(use(second), 2);
    EXPECT_EQ(use(other), 3);
    EXPECT_EQ(use(first), 1);
    EXPECT_EQ(use(other), 3);
    EXPECT_EQ(Counted::living.size(), 3u);
}

TEST_F(HandlePoolTest, GivesAHandleToOneCallAtATime) {
    const Stream stream{Device(0)};
    const ContextRef context = stream.context();
    const ScopedContext scope(context);
    {
        const math::detail::PooledHandle<Counted> outer(context.native_handle(), stream.native_handle());
        const math::detail::PooledHandle<Counted> inner(context.native_handle(), stream.native_handle());
        EXPECT_EQ(*outer.get(), 1);
        EXPECT_EQ(*inner.get(), 2);
    }
    EXPECT_EQ(use(stream), 1) << "the one that was used last";
    Counted::fails = true;
    EXPECT_EQ(use(stream), 1);
    const Stream second{Device(0)};
    EXPECT_THROW(use(second), std::runtime_error);
    Counted::fails = false;
    EXPECT_EQ(use(second), 3);
}

TEST_F(HandlePoolTest, DestroysTheHandleThatWasUsedLongestAgo) {
    std::vector<Stream> streams;
    for (std::size_t i = 0; i < IdleHandles::capacity; ++i) {
        streams.emplace_back(Device(0));
        use(streams.back());
    }
    use(streams[0]);
    EXPECT_EQ(Counted::living.size(), IdleHandles::capacity);
    const Stream one_more{Device(1)};
    use(one_more);
    EXPECT_EQ(Counted::living.size(), IdleHandles::capacity);
    EXPECT_THAT(Counted::contexts_of_destruction, ElementsAre(Device(0).primary_context().native_handle()))
        << "the context of the handle is current";
    EXPECT_EQ(use(streams[0]), 1);
    EXPECT_EQ(use(streams[1]), static_cast<int>(IdleHandles::capacity) + 2) << "its handle was destroyed";
}

TEST_F(HandlePoolTest, ForgetsHandlesOfContextsThatHaveEnded) {
    {
        const Stream stream{Device(1)};
        use(stream);
    }
    Device(1).reset();
    const Stream stream{Device(1)};
    EXPECT_EQ(use(stream), 2);
    EXPECT_EQ(Counted::living.size(), 2u) << "the library must not be called with a handle of a context that has ended";
    std::optional<Context> context(Device(0));
    {
        std::optional<ScopedContext> scope(std::in_place, *context);
        const Stream of_context{Device(0)};
        scope.reset();
        EXPECT_EQ(use(of_context), 3);
    }
    context.reset();
    std::vector<Stream> streams;
    for (std::size_t i = 0; i < 2 * IdleHandles::capacity; ++i) use(streams.emplace_back(Device(0)));
    EXPECT_THAT(Counted::contexts_of_destruction, ::testing::IsSubsetOf({Device(0).primary_context().native_handle(),
                                                                         Device(1).primary_context().native_handle()}));
    (void)FailedCalls::get().take();
}

TEST_F(HandlePoolTest, ForgetsAHandleWhoseContextEndsDuringTheCall) {
    std::optional<Stream> stream(Device(1));
    {
        const ContextRef context = stream->context();
        const math::detail::PooledHandle<Counted> handle(context.native_handle(), stream->native_handle());
        Device(1).reset();
    }
    const driver::CUstream before = stream->native_handle();
    stream.reset();
    stream.emplace(Device(1));
    EXPECT_EQ(use(*stream), 2) << "even if the driver gave the new stream the handle of the old one: "
                               << (before == stream->native_handle());
    (void)FailedCalls::get().take();
}

TEST_F(HandlePoolTest, IsUsedByThreads) {
    const Stream shared{Device(0)};
    std::atomic<bool> was_exclusive = true;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            const Stream own{Device(0)};
            const ContextRef context = own.context();
            const ScopedContext scope(context);
            for (int k = 0; k < 500; ++k) {
                const math::detail::PooledHandle<Counted> handle(context.native_handle(),
                                                                 (k % 2 == 0 ? own : shared).native_handle());
                const int number = std::exchange(*handle.get(), -1);
                if (number == -1) was_exclusive = false;
                std::this_thread::yield();
                *handle.get() = number;
            }
        });
    }
    for (std::thread& each : threads) each.join();
    EXPECT_TRUE(was_exclusive);
    EXPECT_LE(Counted::living.size(), IdleHandles::capacity);
}

TEST_F(HandlePoolTest, BelongsToOneDriver) {
    const auto number = [] {
        const Stream stream{Device(0)};
        return use(stream);
    };
    EXPECT_EQ(number(), 1);
    sim::install({.devices = 1});
    EXPECT_EQ(number(), 2);
}

// ---- errors --------------------------------------------------------------------------------------------------------------

class CheckedTest : public CoreTest {};

TEST_F(CheckedTest, ReturnsValuesOrThrows) {
    using math::detail::checked;
    const auto what = [] { return std::string("The product was of (2, 3)."); };
    EXPECT_EQ(checked(Result<driver::CUresult, int>{driver::CUDA_SUCCESS, 7}, what), 7);
    checked(Result<driver::CUresult>{driver::CUDA_SUCCESS}, what);
    EXPECT_THAT(message_of<Error>([&] { checked(driver::cuMemAlloc(0), what); }),
                AllOf(HasSubstr("cuMemAlloc_v2"), HasSubstr("CUDA_ERROR"), HasSubstr("The product was of (2, 3).")));
    EXPECT_THROW(checked(Result<driver::CUresult>{driver::CUDA_ERROR_OUT_OF_MEMORY}, what), OutOfMemory);
    EXPECT_THAT(message_of<Error>([&] { checked(Result<driver::CUresult>{driver::CUDA_ERROR_INVALID_VALUE}, what); }),
                HasSubstr("of (2, 3). Pass another."));
    math::detail::report(Result<driver::CUresult>{driver::CUDA_SUCCESS}, "destroy a plan");
    EXPECT_THAT(taken_cleanup_messages(), ::testing::IsEmpty());
    math::detail::report(Result<driver::CUresult>{driver::CUDA_ERROR_INVALID_VALUE}, "destroy a plan");
    EXPECT_THAT(taken_cleanup_messages(),
                ElementsAre(AllOf(HasSubstr("could not destroy a plan"), HasSubstr("CUDA_ERROR_INVALID_VALUE"))));
}

}  // namespace
}  // namespace cubind::testing
