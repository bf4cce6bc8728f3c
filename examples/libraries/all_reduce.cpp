// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Adds the arrays of all GPUs with NCCL, so that each GPU has the sum. One process controls all GPUs. The program also runs with
// one GPU.

#include <cubind/core.hpp>
#include <cubind/nccl/loading.hpp>
#include <cubind/nccl_core.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"
#include "ranks.hpp"

using namespace cubind;

namespace {

constexpr std::size_t n = 1 << 20;

struct Rank {
    explicit Rank(nccl::Communicator owned)
        : communicator(std::move(owned)), stream(communicator.device()), data(communicator.device().allocate<float>(stream, n)) {}
    nccl::Communicator communicator;
    Stream stream;
    TypedBuffer<float> data;
};

int all_reduce() {
    std::vector<Rank> ranks;
    for (nccl::Communicator& each : nccl::Communicator::init_all(Device::all())) {
        ranks.emplace_back(std::move(each));
        ranks.back().data.fill(ranks.back().stream, static_cast<float>(ranks.size()));
    }
    // Calls for several GPUs by one thread must be in a group, or the first one would wait for the others.
    nccl::Group group;
    for (Rank& rank : ranks) rank.communicator.all_reduce(rank.stream, rank.data);
    group.end();

    const std::size_t count = ranks.size();
    const float expected = static_cast<float>(count * (count + 1) / 2);
    bool right = true;
    for (Rank& rank : ranks) {
        std::vector<float> sums(n);
        copy(rank.stream, sums, rank.data);
        rank.communicator.wait(rank.stream, std::chrono::seconds(30));
        right = right && std::ranges::all_of(sums, [&](float sum) { return sum == expected; });
    }
    std::printf("%zu GPUs, %zu elements; each sum is %g.\n", count, n, static_cast<double>(expected));
    return example::verdict(right, "each GPU has the sum of the arrays of all GPUs");
}

}  // namespace

int main() {
    return example::run_with(nccl::library(), "nvidia-nccl-cu13", all_reduce);
}
