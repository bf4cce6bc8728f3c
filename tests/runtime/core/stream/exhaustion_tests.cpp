// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Futures and coroutines while the process has no memory left.
#include <cubind/check.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/cleanup.hpp>
#include <cubind/core/stream/completion.hpp>
#include <cubind/core/stream/future.hpp>
#include <cubind/core/stream/run_loop.hpp>
#include <cubind/core/stream/thread_pool.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/interop/egl_stream_consumer.hpp>
#include <cubind/layers/layer.hpp>
#include <cubind/sim/gtest.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <new>
#include <stop_token>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "calls/availability.hpp"
#include "exhausted_memory.hpp"
#include "gate.hpp"
#include "lifetime/deferred.hpp"
#include "lifetime/known_contexts.hpp"
#include "observed.hpp"
#include "task.hpp"

namespace cubind::testing {
namespace {

using namespace cubind;

template <class Executor>
Task wait_for(StreamRef stream, Executor& executor, std::stop_token stop = {}) {
    co_await completion(stream, executor, stop);
}

// Not a CoreTest, whose check of failed calls allocates memory itself.
class CoreExhaustionTest : public sim::DriverTest {
protected:
    CoreExhaustionTest() : DriverTest({.devices = 1}) {}

    void SetUp() override {
        Device(0).set_current();
        set_cleanup_handler(nullptr);  // the destruction of a stream may fail, too
    }
    void TearDown() override { destroy_deferred_objects(); }

    static void destroy_deferred_objects() {
        EXPECT_TRUE(eventually([] {
            detail::destroy_ready_objects();
            return detail::deferred_objects.empty();
        }));
    }

    /// Makes the call with memory for 0, 1, 2, ... allocations until it needs no more. Earlier calls throw that memory is
    /// exhausted, or do without it.
    template <class Call>
    static void exhaust_call(Call call) {
        bool has_thrown = false;
        const long count = exhaust(
            [&] {
                has_thrown = false;
                try {
                    call();
                } catch (const std::bad_alloc&) {
                    has_thrown = true;
                } catch (const Error& error) {
                    has_thrown = error.code().value() == driver::CUDA_ERROR_OUT_OF_MEMORY;
                }
            },
            [&](bool was_exhausted) {
                EXPECT_TRUE(was_exhausted || !has_thrown);
                destroy_deferred_objects();
            });
        EXPECT_GT(count, 0);
    }
};

TEST_F(CoreExhaustionTest, ThrowsIfAFutureCannotBeCreated) {
    const Stream stream{Device()};
    exhaust_call([&] { future_of(stream).get(); });
    exhaust_call([&] { (void)launch_host_task(stream, [] { return 5; }); });
    EXPECT_EQ(launch_host_task(stream, [] { return 5; }).get(), 5);
}

TEST_F(CoreExhaustionTest, ThrowsIfAFutureOfAnEventCannotBeCreated) {
    const Stream stream{Device()};
    Gate gate(stream);
    const Event event = stream.record();
    exhaust_call([&] { (void)future_of(event); });
    gate.open();
    future_of(event).get();
}

TEST_F(CoreExhaustionTest, ThrowsIfACoroutineCannotWait) {
    const Stream stream{Device()};
    RunLoop loop;
    const auto run = [&](const Task& task) {
        EXPECT_TRUE(eventually([&] {
            loop.run_ready();
            return task.is_done();
        }));
        task.get();
    };
    exhaust_call([&] { run(wait_for(stream, loop)); });
    run(wait_for(stream, loop));
}

TEST_F(CoreExhaustionTest, LooksAFunctionUpAgain) {
    EntryPoint missing{.symbol = "cuFunctionOfTheFuture", .library = &driver::library()};
    bool has_thrown = false;
    {
        const LimitedMemory memory(0);
        try {
            (void)detail::is_available(missing);
        } catch (const std::bad_alloc&) {
            has_thrown = true;
        }
    }
    EXPECT_TRUE(has_thrown);
    EXPECT_FALSE(detail::is_available(missing));
    EXPECT_TRUE(detail::is_available(driver::cuInit));
}

TEST_F(CoreExhaustionTest, NotesAContextAgain) {
    driver::CUcontext context = nullptr;
    bool was_exhausted = false;
    for (std::uintptr_t each = 1; !was_exhausted; ++each) {
        context = reinterpret_cast<driver::CUcontext>(each);
        const LimitedMemory memory(0);
        detail::note_context(context);
        was_exhausted = memory.is_exhausted();
    }
    EXPECT_NE(detail::latest_known_context.load(), context);
    detail::note_context(context);
    EXPECT_EQ(detail::latest_known_context.load(), context);
}

/// The end of a wait must not allocate: it runs on a thread of the driver, on which nothing could report that memory is
/// exhausted.
template <class Executor>
void end_without_memory(Executor& executor, const Task& task, std::stop_source& stop) {
    bool was_exhausted = false;
    {
        const LimitedMemory memory(0);
        stop.request_stop();
        was_exhausted = memory.is_exhausted();
    }
    EXPECT_FALSE(was_exhausted);
    EXPECT_TRUE(eventually([&] {
        if constexpr (std::is_same_v<Executor, RunLoop>) executor.run_ready();
        return task.is_done();
    }));
    EXPECT_THROW(task.get(), std::system_error);
}

TEST_F(CoreExhaustionTest, ResumesACoroutineWithoutMemory) {
    const Stream stream{Device()};
    Gate gate(stream);
    RunLoop loop;
    ThreadPool pool(1);
    std::stop_source first;
    end_without_memory(loop, wait_for(stream, loop, first.get_token()), first);
    std::stop_source second;
    end_without_memory(pool, wait_for(stream, pool, second.get_token()), second);
    gate.open();
    stream.synchronize();
}

/// Takes the place of the part of a driver that gives frames of a stream of EGL to a consumer. Counts them, without memory.
class FrameStandIn final : public layers::Layer {
public:
    FrameStandIn() { layers::push(*this); }
    FrameStandIn(const FrameStandIn&) = delete;
    FrameStandIn& operator=(const FrameStandIn&) = delete;
    ~FrameStandIn() { layers::remove(*this); }

    int acquired = 0;
    int released = 0;

    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view symbol = call.function.symbol;
        if (!symbol.starts_with("cuEGLStreamConsumer")) return next(call);
        acquired += symbol == "cuEGLStreamConsumerAcquireFrame" ? 1 : 0;
        released += symbol == "cuEGLStreamConsumerReleaseFrame" ? 1 : 0;
        call.status() = driver::CUDA_SUCCESS;
    }
};

TEST_F(CoreExhaustionTest, ReleasesEachFrameThatWasAcquired) {
    FrameStandIn egl;
    int egl_stream = 0;
    const Stream stream{Device()};
    const EglStreamConsumer consumer(Device(), &egl_stream);
    exhaust_call([&] { (void)consumer.acquire(stream, std::chrono::microseconds(0)); });
    EXPECT_GT(egl.acquired, 0);
    EXPECT_EQ(egl.released, egl.acquired);
}

}  // namespace
}  // namespace cubind::testing
