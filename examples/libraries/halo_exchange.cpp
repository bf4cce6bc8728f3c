// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Propagates the wave of wave_propagation through a cube that several GPUs share, and exchanges the planes at the borders of
// their slabs with NCCL. Messages overlap with the computation of the planes that no neighbor needs. Without a launcher, one
// process controls all GPUs; with mpirun, torchrun or srun, each process controls one. The result is compared with that of a
// single GPU.
//
//     halo_exchange [EDGE [STEPS]]
//     torchrun --nproc-per-node 2 --no-python halo_exchange

#include <cubind/core.hpp>
#include <cubind/nccl/loading.hpp>
#include <cubind/nccl_core.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

#include "example.hpp"
#include "ranks.hpp"
#include "wave.hpp"

using namespace cubind;

namespace {

struct Rank {
    Rank(nccl::Communicator owned, const wave::Problem& problem)
        : communicator(std::move(owned)),
          slab(communicator.device(), problem, wave::share_of(problem, communicator.rank(), communicator.size()),
               nccl::NcclMemoryResource(communicator.device())),
          messages(communicator.device()),
          border_computed(communicator.device()) {}

    // Computes a step. The messages of the border can begin before the other planes are computed.
    void compute() {
        slab.compute_border();
        slab.stream.record(border_computed);
        slab.compute_rest();
        messages.wait(border_computed);
    }
    void exchange() {
        const int own = communicator.rank();
        if (own > 0) {
            communicator.send(messages, slab.lower(), own - 1);
            communicator.receive(messages, slab.lower_halo(), own - 1);
        }
        if (own + 1 < communicator.size()) {
            communicator.send(messages, slab.upper(), own + 1);
            communicator.receive(messages, slab.upper_halo(), own + 1);
        }
    }

    nccl::Communicator communicator;
    wave::Slab slab;
    Stream messages;
    Event border_computed;
};

std::vector<float> propagate_on_one_gpu(const wave::Problem& problem, Device device, std::vector<float> state) {
    wave::Slab whole(device, problem, wave::share_of(problem, 0, 1), device.memory_resource());
    whole.load(state);
    for (int step = 0; step < problem.steps; ++step) {
        whole.compute_border();
        whole.compute_rest();
    }
    whole.store(state);
    return state;
}

int halo_exchange(const wave::Problem& problem) {
    std::vector<Rank> ranks;
    for (nccl::Communicator& each : example::ranks_of_process()) {
        if (each.size() == 1) return example::skip("a second GPU is missing, with which planes could be exchanged.");
        if (!wave::can_divide(problem, each.size())) return example::skip("the cube has too few planes for so many GPUs.");
        ranks.emplace_back(std::move(each), problem);
    }
    const std::vector<float> state = wave::initial_state(problem);
    for (Rank& rank : ranks) rank.slab.load(state);
    for (Rank& rank : ranks) rank.slab.stream.synchronize();

    const auto start = std::chrono::steady_clock::now();
    for (int step = 0; step < problem.steps; ++step) {
        for (Rank& rank : ranks) rank.compute();
        nccl::Group group;  // so that no rank waits for the others before it receives
        for (Rank& rank : ranks) rank.exchange();
        group.end();
        for (Rank& rank : ranks) rank.slab.stream.wait(rank.messages);
    }
    for (Rank& rank : ranks) rank.communicator.wait(rank.slab.stream, std::chrono::seconds(60));
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("%d ranks, of which this process has %zu; %d x %d x %d points, %d steps, %.2f ms for each step\n",
                ranks.front().communicator.size(), ranks.size(), problem.edge, problem.edge, problem.edge, problem.steps,
                1e3 * time.count() / problem.steps);

    // The order of the operations on each point does not depend on the slabs, so that the results have the same bits.
    std::vector<float> expected = propagate_on_one_gpu(problem, ranks.front().communicator.device(), state);
    bool right = std::ranges::any_of(expected, [](float each) { return each != 0; });
    for (Rank& rank : ranks) {
        std::vector<float> result = expected;
        const auto own = std::span(result).subspan(problem.plane() * std::size_t(rank.slab.begin),
                                                   problem.plane() * std::size_t(rank.slab.planes));
        std::ranges::fill(own, std::numeric_limits<float>::quiet_NaN());
        rank.slab.store(result);
        right = right && result == expected;
    }
    return example::verdict(right, "the wave equals that of a single GPU, bit by bit");
}

}  // namespace

int main(int count, char** arguments) {
    wave::Problem problem;
    if (!wave::read(problem, count - 1, arguments + 1)) {
        std::fprintf(stderr, "usage: halo_exchange [EDGE [STEPS]], with an EDGE from %d to 2000\n", 2 * wave::radius + 1);
        return example::failed;
    }
    return example::run_with(nccl::library(), "nvidia-nccl-cu13", [&] { return halo_exchange(problem); });
}
