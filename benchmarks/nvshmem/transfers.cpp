// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times operations of NVSHMEM through nvshmem::Session and through function pointers of NVSHMEM, in one session, with the same
/// stream and memory. Runs as one process for each PE, all of which make the same calls. benchmarks/nvshmem_cost starts them and
/// compares the times; alternate.hpp has the options.

#include <cubind/core.hpp>
#include <cubind/library.hpp>
#include <cubind/nvshmem/loading.hpp>
#include <cubind/nvshmem_core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "../alternate.hpp"
#include "../plain.hpp"

namespace {

using namespace cubind::nvshmem;
using cubind::runtime::cudaStream_t;

using Transfer = void(void*, const void*, std::size_t, int, cudaStream_t);
using PutSignal = void(void*, const void*, std::size_t, std::uint64_t*, std::uint64_t, int, int, cudaStream_t);
using Reduce = int(nvshmem_team_t, float*, const float*, std::size_t, cudaStream_t);
using Barrier = int(nvshmem_team_t, cudaStream_t);

constexpr std::size_t largest = std::size_t{64} << 20;  // bytes

struct Setup {
    Session session = Session::from_environment();
    cubind::Device device = session.device();
    cubind::ContextRef before = device.set_current();  // as in most programs
    cubind::Stream stream{device};
    SymmetricMemoryResource memory{session};
    cubind::TypedBuffer<float> to = memory.allocate<float>(stream, largest / sizeof(float));
    cubind::TypedBuffer<float> from = memory.allocate<float>(stream, largest / sizeof(float));
    cubind::TypedBuffer<std::uint64_t> signal = memory.allocate<std::uint64_t>(stream, 1);
    int peer = (session.my_pe() + 1) % session.n_pes();
    cudaStream_t handle = stream.native_handle();
    Transfer* put = plain<Transfer>(library(), "nvshmemx_putmem_on_stream");
    Transfer* get = plain<Transfer>(library(), "nvshmemx_getmem_on_stream");
    PutSignal* put_signal = plain<PutSignal>(library(), "nvshmemx_putmem_signal_on_stream");
    Reduce* reduce = plain<Reduce>(library(), "nvshmemx_float_sum_reduce_on_stream");
    Barrier* barrier = plain<Barrier>(library(), "nvshmemx_barrier_on_stream");
};

void expect(int status) {
    if (status != 0) [[unlikely]]
        std::abort();
}

/// Adds the same operation of `count` elements on both ways: `calls_in_batch` of them, with a wait that is timed if `is_waited`.
template <class Plain, class Ours>
void add(Alternation& calls, Setup& with, const std::string& name, bool is_waited, Plain one, Ours other) {
    constexpr int in_batch = 64, repeats = 20;
    const auto wait = [&with] { with.stream.synchronize(); };
    const auto add_way = [&](const char* way, auto call) {
        if (is_waited) {
            calls.add(name, way, 1, [call, wait] {
                for (int i = 0; i < repeats; ++i) call();
                wait();
            });
        } else {
            calls.add(name, way, in_batch, call, wait);
        }
    };
    add_way("plain", one);
    add_way("cubind", other);
}

int run(int argc, char** argv) {
    Alternation calls(argc, argv);
    Setup with;
    void* const to = with.to.span().data();
    const void* const from = with.from.span().data();
    for (const std::size_t bytes : {std::size_t{1} << 10, largest}) {
        const bool is_waited = bytes == largest;
        const std::string unit = is_waited ? "device time of 20 x " : "host time of ", size = is_waited ? ", 64 MiB" : ", 1 KiB";
        const std::size_t count = bytes / sizeof(float);
        const auto target = with.to.first(count), source = with.from.first(count);
        add(
            calls, with, unit + "put" + size, is_waited, [=, &with] { with.put(to, from, bytes, with.peer, with.handle); },
            [=, &with] { with.session.put(with.stream, target, source, with.peer); });
        add(
            calls, with, unit + "get" + size, is_waited, [=, &with] { with.get(to, from, bytes, with.peer, with.handle); },
            [=, &with] { with.session.get(with.stream, target, source, with.peer); });
        add(
            calls, with, unit + "put_signal" + size, is_waited,
            [=, &with] {
                with.put_signal(to, from, bytes, with.signal.span().data(), 1, static_cast<int>(SignalOperation::set), with.peer,
                                with.handle);
            },
            [=, &with] {
                with.session.put_signal(with.stream, target, source, with.signal, 1, SignalOperation::set, with.peer);
            });
        add(
            calls, with, unit + "all_reduce" + size, is_waited,
            [=, &with] {
                expect(with.reduce(NVSHMEM_TEAM_WORLD, static_cast<float*>(to), static_cast<const float*>(from), count,
                                   with.handle));
            },
            [=, &with] { with.session.world().all_reduce(with.stream, target, source); });
    }
    add(
        calls, with, "host time of barrier", false, [&with] { expect(with.barrier(NVSHMEM_TEAM_WORLD, with.handle)); },
        [&with] { with.session.world().barrier(with.stream); });
    const int status = calls.run();
    with.session.world().barrier();
    return status;
}

}  // namespace

int main(int argc, char** argv) try {
    ::setenv("NVSHMEM_DISABLE_NVLS", "1", 0);  // multicast of NVLink can disturb other users of the host
    ::setenv("NCCL_NVLS_ENABLE", "0", 0);
    if (cubind::library_path(cubind::nvshmem::library()) == nullptr || cubind::Device::count() < 1) {
        std::fprintf(stderr, "NVSHMEM or a GPU is missing\n");
        return 77;
    }
    return run(argc, argv);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 77;
}
