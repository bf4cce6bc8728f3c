// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Passes the array of each PE around a ring of GPUs, by a kernel that calls NVSHMEM: in each step, it adds 1 to each element,
// puts the array into memory of the next PE, sets a signal there, and waits for the signal of the PE before. The host takes no
// part. Each process controls one GPU; a single process is a ring of one PE. Multicast of NVLink is not needed:
//
//     NVSHMEM_DISABLE_NVLS=1 torchrun --nproc-per-node 2 --no-python put_signal_ring
//     mpirun -n 2 -x NVSHMEM_DISABLE_NVLS=1 -x CUBIND_MEETING_POINT=localhost:29400 put_signal_ring

#include <cubind/core.hpp>
#include <cubind/nvshmem/loading.hpp>
#include <cubind/nvshmem_core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t n = 1 << 16;

// Each step has an inbox and a signal of its own, so that no PE waits until its neighbor has read an array.
constexpr const char* source = R"(
#include <nvshmem.h>

extern "C" __global__ void ring(int* held, int* inboxes, size_t n, uint64_t* arrived)
{
    const int steps = nvshmem_n_pes(), next = (nvshmem_my_pe() + 1) % steps;
    for (int step = 0; step < steps; ++step) {
        for (size_t i = threadIdx.x; i < n; i += blockDim.x) held[i] += 1;
        __syncthreads();
        nvshmemx_int_put_signal_nbi_block(inboxes + step * n, held, n, arrived + step, 1, NVSHMEM_SIGNAL_SET, next);
        if (threadIdx.x == 0) nvshmem_signal_wait_until(arrived + step, NVSHMEM_CMP_EQ, 1);
        __syncthreads();
        held = inboxes + step * n;
    }
    nvshmemx_barrier_all_block();  // the last transfers read the arrays until now
}
)";

int put_signal_ring() {
    const std::string headers = nvshmem::include_folder(), library = nvshmem::device_library();
    const auto session = nvshmem::Session::from_environment();
    const auto pes = static_cast<std::size_t>(session.n_pes());
    Stream stream(session.device());
    const nvshmem::SymmetricMemoryResource memory(session);
    auto held = memory.allocate<int>(stream, n);
    auto inboxes = memory.allocate<int>(stream, pes * n);
    auto arrived = memory.allocate<std::uint64_t>(stream, pes);
    held.fill(stream, 100 * session.my_pe());
    arrived.fill(stream, std::byte{0});
    session.world().barrier(stream);  // no signal comes before all are 0

    const nvshmem::LinkedCode code =
        nvshmem::link(session, nvshmem::program(source, {.name = "ring.cu"}).compile(CodeType::cubin));
    launch(stream, {.grid = 1, .block = 1024, .cooperative = true}, code.kernel("ring"), held, inboxes, n, arrived);
    std::vector<int> values(n);
    copy(stream, values, inboxes.last(n));
    stream.synchronize();

    const int expected = 100 * session.my_pe() + session.n_pes();  // the own array, after a step at each PE
    std::printf("PE %d of %d: %zu elements made %zu steps; NVSHMEM's headers are in %s.\n", session.my_pe(), session.n_pes(), n,
                pes, headers.c_str());
    const bool right = std::ranges::all_of(values, [&](int each) { return each == expected; });
    session.world().barrier();
    return example::verdict(right, "the array has come back, with 1 added at each PE");
}

}  // namespace

int main() {
    return example::run_with(nvshmem::library(), "nvidia-nvshmem-cu13", [] {
        try {
            return put_signal_ring();
        } catch (const LoadError& error) {
            return example::skip(error.what());  // the headers or libnvshmem_device.a are missing
        }
    });
}
