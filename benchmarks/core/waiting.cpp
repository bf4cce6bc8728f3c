// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times the wake-up after work has ended: from the write that ends the work of a stream until the code that waits for it runs,
/// on another thread. The baseline is a thread that is blocked in cuStreamSynchronize. benchmarks/core_cost runs this program and
/// compares the times; alternate.hpp has its options.

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/stream/completion.hpp>
#include <cubind/core/stream/future.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/core/stream/thread_pool.hpp>
#include <cubind/driver.hpp>

#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <thread>

#include "plain.hpp"

namespace {

using namespace cubind::driver;

/// A coroutine that begins at once and destroys itself at its end.
struct Detached {
    struct promise_type {
        Detached get_return_object() const noexcept { return {}; }
        std::suspend_never initial_suspend() const noexcept { return {}; }
        std::suspend_never final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
    };
};

/// A stream whose work ends when the host writes a value.
struct Setup {
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();
    cubind::Stream stream{device};
    cubind::Buffer memory = cubind::LegacyPinnedMemoryResource().allocate(stream, sizeof(std::uint32_t));
    std::atomic_ref<std::uint32_t> value{*memory.span<std::uint32_t>().data()};
    std::atomic<bool> has_woken{false};
    cubind::ThreadPool threads{1};

    /// Submits work that does not end yet.
    void submit() {
        value.store(0);
        has_woken.store(false);
        expect(cuStreamWaitValue32(stream.native_handle(), memory.native_handle(), 1, CU_STREAM_WAIT_VALUE_GEQ).status);
    }
    /// Gives the waiting thread the time to block.
    static void settle() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }
    /// Ends the work and waits for the code that waits for it.
    void wake() {
        value.store(1);
        while (!has_woken.load()) {
        }
    }
};

Setup& setup() {
    static Setup& instance = *new Setup;
    return instance;
}

Detached wait(Setup& with) {
    co_await cubind::completion(with.stream, with.threads);
    with.has_woken.store(true);
}

void add(Alternation& calls) {
    Setup& with = setup();
    const auto add_way = [&](const char* way, auto begin) {
        calls.add(
            "wake-up after the end of work", way, 1, [&with] { with.wake(); }, [&with] { with.stream.synchronize(); },
            [&with, begin] {
                with.submit();
                begin();
                Setup::settle();
            });
    };
    add_way("plain", [&with, synchronize = plain<CUresult(CUstream)>("cuStreamSynchronize")] {
        with.threads.execute([&with, synchronize] {
            expect(synchronize(with.stream.native_handle()));
            with.has_woken.store(true);
        });
    });
    add_way("co_await", [&with] { wait(with); });
    add_way("future_of", [&with] {
        with.threads.execute([&with, done = cubind::future_of(with.stream)]() mutable {
            done.get();
            with.has_woken.store(true);
        });
    });
}

}  // namespace

int main(int argc, char** argv) {
    return run_benchmarks(argc, argv, add);
}
