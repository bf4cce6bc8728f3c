// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that call NVSHMEM.
#include <cstddef>
#include <cstdint>

#include "nvshmem_checks.hpp"

namespace cubind::testing {

void check_kernels() {
    constexpr const char* source = R"(
#include <nvshmem.h>

// Each round, a PE puts its numbers into the inbox of the other one, with a signal, and waits for those of the other.
extern "C" __global__ void exchange(int* inbox, int* outbox, size_t n, uint64_t* arrived, int* count, int rounds)
{
    const int me = nvshmem_my_pe(), other = (me + 1) % nvshmem_n_pes();
    for (int round = 1; round <= rounds; ++round) {
        for (size_t i = threadIdx.x; i < n; i += blockDim.x) outbox[i] = 100 * round + me;
        __syncthreads();
        nvshmemx_int_put_signal_nbi_block(inbox, outbox, n, arrived, round, NVSHMEM_SIGNAL_SET, other);
        if (threadIdx.x == 0) nvshmem_signal_wait_until(arrived, NVSHMEM_CMP_EQ, round);
        __syncthreads();
        for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
            if (inbox[i] == 100 * round + other) nvshmem_int_atomic_add(count, 1, 0);
        }
        nvshmemx_barrier_all_block();
    }
}
)";
    const Pe pe;
    constexpr std::size_t elements = 1000;
    constexpr int rounds = 10;
    auto inbox = pe.allocate<int>(elements, 0);
    auto outbox = pe.allocate<int>(elements, 0);
    auto arrived = pe.allocate<std::uint64_t>(1, std::uint64_t{0});
    auto count = pe.allocate<int>(1, 0);
    Program program = nvshmem::program(source, {.name = "exchange.cu"});
    {
        nvshmem::LinkedCode code = nvshmem::link(pe.session, program.compile(CodeType::cubin));
        launch(pe.stream, {.grid = 1, .block = 256, .cooperative = true}, code.kernel("exchange"), inbox, outbox, elements,
               arrived, count, rounds);
        pe.session.world().barrier(pe.stream);
        if (pe.me == 0)
            require(count.get(pe.stream, 0) == 2 * rounds * static_cast<int>(elements), "numbers that a kernel received");
        pe.stream.synchronize();
        code.close();
    }
    {  // intermediate code, which is optimized when it is linked
        Program again = nvshmem::program(source, {.name = "exchange.cu", .link_time_optimization = true});
        const nvshmem::LinkedCode code =
            nvshmem::link(pe.session, again.compile(CodeType::lto_ir), {.link_time_optimization = true});
        arrived.fill(pe.stream, std::byte{0});
        count.fill(pe.stream, 0);
        pe.session.world().barrier(pe.stream);
        launch(pe.stream, {.grid = 1, .block = 256, .cooperative = true}, code.kernel("exchange"), inbox, outbox, elements,
               arrived, count, rounds);
        pe.session.world().barrier(pe.stream);
        if (pe.me == 0) require(count.get(pe.stream, 0) == 2 * rounds * static_cast<int>(elements), "numbers after optimization");
        pe.stream.synchronize();
    }
    pe.session.world().barrier();
}

}  // namespace cubind::testing
