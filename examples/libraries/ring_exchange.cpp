// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Passes arrays around a ring of GPUs: each rank sends to the next one and receives from the previous one, until each array has
// come home. Without a launcher, one process controls all GPUs; with mpirun, torchrun or srun, each process controls one:
//
//     torchrun --nproc-per-node 2 --no-python ring_exchange
//     mpirun -n 2 ring_exchange

#include <cubind/core.hpp>
#include <cubind/nccl/loading.hpp>
#include <cubind/nccl_core.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

#include "example.hpp"
#include "ranks.hpp"

using namespace cubind;

namespace {

constexpr std::size_t n = 1 << 20;

struct Rank {
    explicit Rank(nccl::Communicator owned)
        : communicator(std::move(owned)),
          stream(communicator.device()),
          held(communicator.device().allocate<float>(stream, n)),
          incoming(communicator.device().allocate<float>(stream, n)) {
        held.fill(stream, static_cast<float>(communicator.rank()));
    }
    /// Returns whether all elements are `expected`.
    bool holds(float expected) {
        std::vector<float> values(n);
        copy(stream, values, held);
        communicator.wait(stream, std::chrono::seconds(30));
        return std::ranges::all_of(values, [&](float each) { return each == expected; });
    }
    nccl::Communicator communicator;
    Stream stream;
    TypedBuffer<float> held;
    TypedBuffer<float> incoming;
};

int ring_exchange() {
    std::vector<Rank> ranks;
    for (nccl::Communicator& each : example::ranks_of_process()) ranks.emplace_back(std::move(each));
    const int size = ranks.front().communicator.size();
    bool right = true;
    for (int step = 1; step <= size; ++step) {
        nccl::Group group;  // also so that no rank waits for the others before it receives
        for (Rank& rank : ranks) {
            const int own = rank.communicator.rank();
            rank.communicator.send(rank.stream, rank.held, (own + 1) % size);
            rank.communicator.receive(rank.stream, rank.incoming, (own + size - 1) % size);
        }
        group.end();
        for (Rank& rank : ranks) {
            std::swap(rank.held, rank.incoming);
            right = right && rank.holds(static_cast<float>((rank.communicator.rank() + size - step) % size));
        }
    }
    std::printf("%d ranks, of which this process has %zu; %zu elements made %d steps.\n", size, ranks.size(), n, size);
    return example::verdict(right, "after each step, each rank has the array of the rank that many places before it");
}

}  // namespace

int main() {
    return example::run_with(nccl::library(), "nvidia-nccl-cu13", ring_exchange);
}
