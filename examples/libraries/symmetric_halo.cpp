// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Propagates the wave of wave_propagation through a cube that several GPUs share, and exchanges the planes at the borders of
// their slabs with NVSHMEM: a PE puts them directly into the slab of its neighbor and sets a signal, for which the neighbor's
// stream waits. Transfers overlap with the computation of the planes that no neighbor needs. Each process controls one GPU. The
// result is compared with a computation on the host.
//
//     NVSHMEM_DISABLE_NVLS=1 torchrun --nproc-per-node 2 --no-python symmetric_halo [EDGE [STEPS]]
//     mpirun -n 2 -x NVSHMEM_DISABLE_NVLS=1 -x CUBIND_MEETING_POINT=localhost:29400 symmetric_halo

#include <cubind/core.hpp>
#include <cubind/nvshmem/loading.hpp>
#include <cubind/nvshmem_core.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "example.hpp"
#include "wave.hpp"

using namespace cubind;

namespace {

class Pe {
public:
    Pe(const nvshmem::Session& owner, const wave::Problem& problem)
        : session(owner),
          memory(session),
          slab(session.device(), problem, wave::share_of(problem, session.my_pe(), session.n_pes()), memory,
               wave::share_of(problem, 0, session.n_pes()).planes),  // all PEs allocate the size of the largest slab
          messages(session.device()),
          border_computed(session.device()),
          sent(session.device()),
          signals(memory.allocate<std::uint64_t>(slab.stream, 2)) {
        signals.fill(slab.stream, std::byte{0});
    }

    // Makes a step. The planes of the border are on their way while the others are computed.
    void step(std::uint64_t number) {
        slab.compute_border();
        slab.stream.record(border_computed);
        slab.compute_rest();
        messages.wait(border_computed);
        const int own = session.my_pe();
        if (own > 0) {  // the neighbor's slab has its upper halo after its own planes
            const int planes = wave::share_of(slab.problem, own - 1, session.n_pes()).planes;
            const std::size_t plane = slab.problem.plane();
            const auto halo = slab.now.subspan(plane * std::size_t(wave::radius + planes), plane * wave::radius);
            session.put_signal(messages, halo, slab.lower(), from_above(), number, nvshmem::SignalOperation::set, own - 1);
        }
        if (own + 1 < session.n_pes()) {
            session.put_signal(messages, slab.lower_halo(), slab.upper(), from_below(), number, nvshmem::SignalOperation::set,
                               own + 1);
        }
        messages.record(sent);
        slab.stream.wait(sent);  // the planes are overwritten in the step after the next one
        constexpr auto reached = nvshmem::Comparison::greater_or_equal;  // a neighbor may be a step ahead
        if (own > 0) session.wait_signal(slab.stream, from_below(), reached, number);
        if (own + 1 < session.n_pes()) session.wait_signal(slab.stream, from_above(), reached, number);
    }

    const nvshmem::Session& session;
    nvshmem::SymmetricMemoryResource memory;
    wave::Slab slab;

private:
    std::span<std::uint64_t> from_below() { return signals.first(1); }
    std::span<std::uint64_t> from_above() { return signals.last(1); }

    Stream messages;
    Event border_computed, sent;
    TypedBuffer<std::uint64_t> signals;
};

int symmetric_halo(const wave::Problem& problem) {
    const auto bootstrap = Bootstrap::from_environment();
    if (bootstrap.size() == 1) {
        return example::skip(
            "a second GPU, or a second process, is missing, with which planes could be exchanged: start one for "
            "each GPU with mpirun or torchrun.");
    }
    if (!wave::can_divide(problem, bootstrap.size())) return example::skip("the cube has too few planes for so many GPUs.");
    const auto session = nvshmem::Session::init(bootstrap);
    Pe pe(session, problem);
    const std::vector<float> state = wave::initial_state(problem);
    pe.slab.load(state);
    session.world().barrier(pe.slab.stream);  // all PEs have their states and signals
    pe.slab.stream.synchronize();

    const auto start = std::chrono::steady_clock::now();
    for (int step = 1; step <= problem.steps; ++step) pe.step(static_cast<std::uint64_t>(step));
    pe.slab.stream.synchronize();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("PE %d of %d: planes %d to %d of %d, %d steps, %.2f ms for each step\n", session.my_pe(), session.n_pes(),
                pe.slab.begin, pe.slab.begin + pe.slab.planes - 1, problem.edge, problem.steps,
                1e3 * time.count() / problem.steps);

    const std::vector<float> expected = wave::propagate_on_host(problem, state);
    std::vector<float> result(expected.size(), 0.0f);
    pe.slab.store(result);
    float largest = 0, error = 0;
    const std::size_t begin = problem.plane() * std::size_t(pe.slab.begin), count = problem.plane() * std::size_t(pe.slab.planes);
    for (std::size_t i = begin; i < begin + count; ++i) {
        largest = std::max(largest, std::fabs(expected[i]));
        error = std::max(error, std::isnan(result[i]) ? INFINITY : std::fabs(result[i] - expected[i]));
    }
    session.world().barrier();
    return example::verdict(largest > 0 && error <= 1e-5f * float(problem.steps) * largest,
                            "the wave in the own planes equals that of the host");
}

}  // namespace

int main(int count, char** arguments) {
    wave::Problem problem;
    if (!wave::read(problem, count - 1, arguments + 1)) {
        std::fprintf(stderr, "usage: symmetric_halo [EDGE [STEPS]], with an EDGE from %d to 2000\n", 2 * wave::radius + 1);
        return example::failed;
    }
    return example::run_with(nvshmem::library(), "nvidia-nvshmem-cu13", [&] { return symmetric_halo(problem); });
}
