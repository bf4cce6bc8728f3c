// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times operations of Buffers that core/memory.cpp does not time: moves, changes of the stream, the destruction of many
/// buffers at once, and allocations of many threads from one pool. benchmarks/core_cost runs this program and compares the
/// times; alternate.hpp has its options.

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>

#include <barrier>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "plain.hpp"

namespace {

using namespace cubind::driver;
using cubind::Buffer;
using cubind::Stream;

using Allocate = CUresult(CUdeviceptr*, std::size_t, CUmemoryPool, CUstream);
using Free = CUresult(CUdeviceptr, CUstream);

constexpr std::size_t small_size = 512;

struct Setup {
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();  // as in most programs
    Stream stream{device};
    Stream other{device};
    cubind::DeviceMemoryResource pool{device};
    Allocate* allocate = plain<Allocate>("cuMemAllocFromPoolAsync");
    Free* free = plain<Free>("cuMemFreeAsync");
};

Setup& setup() {
    static Setup& instance = *new Setup;
    return instance;
}

// ---- one buffer ----------------------------------------------------------------------------------------------------------

/// Adds the moves of owners. The baselines are the standard library's owners, because C has none.
void add_moves(Alternation& calls) {
    static std::unique_ptr<int> plain_one = std::make_unique<int>(1);
    static std::unique_ptr<int> plain_other;
    static Buffer one = setup().device.allocate(setup().stream, small_size);
    static Buffer other;
    calls.add("two moves of a buffer", "plain", batch, [] {
        plain_other = std::move(plain_one);
        use(plain_other);
        plain_one = std::move(plain_other);
        use(plain_one);
    });
    calls.add("two moves of a buffer", "Buffer", batch, [] {
        other = std::move(one);
        use(other);
        one = std::move(other);
        use(one);
    });

    static std::shared_ptr<int> plain_streams[] = {std::make_shared<int>(1), std::make_shared<int>(2)};
    static std::shared_ptr<int> plain_order;
    calls.add("deallocation stream", "plain", batch, [next = 0]() mutable {
        plain_order = plain_streams[next ^= 1];
        use(plain_order);
    });
    calls.add("deallocation stream", "Buffer", batch,
              [next = 0]() mutable { one.set_deallocation_stream((next ^= 1) != 0 ? setup().other : setup().stream); });
}

// ---- many buffers --------------------------------------------------------------------------------------------------------

constexpr int many = 10'000;

void add_ends(Alternation& calls) {
    static std::vector<CUdeviceptr> addresses(many);
    static std::vector<Buffer> buffers;
    buffers.reserve(many);
    const auto add = [&](const char* way, auto end, auto begin) {
        calls.add(
            "end of 10000 buffers", way, 1, end, [] { setup().stream.synchronize(); }, begin);
    };
    add(
        "plain",
        [&with = setup()] {
            for (const CUdeviceptr each : addresses) expect(with.free(each, with.stream.native_handle()));
        },
        [&with = setup()] {
            for (CUdeviceptr& each : addresses)
                expect(with.allocate(&each, small_size, with.pool.native_handle(), with.stream.native_handle()));
            with.stream.synchronize();
        });
    add(
        "Buffer", [] { buffers.clear(); },
        [&with = setup()] {
            for (int i = 0; i < many; ++i) buffers.push_back(with.device.allocate(with.stream, small_size));
            with.stream.synchronize();
        });
}

// ---- many threads --------------------------------------------------------------------------------------------------------

constexpr int thread_count = 32;

/// Threads that do a task at the same time, each with its own stream.
class Team {
public:
    template <class Task>
    explicit Team(Task task) {
        for (int i = 0; i < thread_count; ++i) {
            threads_.emplace_back([this, task, stream = std::make_shared<Stream>(setup().device)] {
                (void)setup().device.set_current();
                for (;;) {
                    begin_.arrive_and_wait();
                    for (int done = 0; done < batch; ++done) task(*stream);
                    stream->synchronize();
                    end_.arrive_and_wait();
                }
            });
            threads_.back().detach();  // until the process ends
        }
    }
    void work() {
        begin_.arrive_and_wait();
        end_.arrive_and_wait();
    }

private:
    std::barrier<> begin_{thread_count + 1};
    std::barrier<> end_{thread_count + 1};
    std::vector<std::thread> threads_;
};

/// Adds allocations of several threads. The figure is the time until all threads have made a batch of allocations.
void add_threads(Alternation& calls) {
    const auto add = [&](const char* way, auto task) {
        calls.add("alloc and free, 256 times in each of 32 threads", way, 1, [&team = *new Team(task)] { team.work(); });
    };
    add("plain", [&with = setup()](const Stream& stream) {
        CUdeviceptr memory = 0;
        expect(with.allocate(&memory, small_size, with.pool.native_handle(), stream.native_handle()));
        expect(with.free(memory, stream.native_handle()));
    });
    add("Device::allocate", [&with = setup()](const Stream& stream) { use(with.device.allocate(stream, small_size)); });
}

void add(Alternation& calls) {
    add_moves(calls);
    add_ends(calls);
    add_threads(calls);
}

}  // namespace

int main(int argc, char** argv) {
    const int status = run_benchmarks(argc, argv, add);
    std::fflush(stdout);
    std::_Exit(status);  // does not destroy global objects, because the threads still wait
}
