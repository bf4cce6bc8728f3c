// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/run/cluster.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <numeric>
#include <random>

namespace CUBIND_NAMESPACE::sim::ptx {

Cluster::Cluster(const Grid& grid) : ranges_(grid.memory()), first_(*this, ranges_) {
    const Extent3& blocks = grid.request.grid;
    const Extent3& size = grid.request.cluster;
    clusters_ = blocks;
    size_ = size.x * size.y * size.z;
    if (size_ == 1) return;
    clusters_ = {blocks.x / size.x, blocks.y / size.y, blocks.z / size.z};
    for (unsigned rank = 1; rank < size_; ++rank) others_.push_back(std::make_unique<Block>(*this, ranges_));
    order_.resize(size_);
}

void Cluster::start(Grid& grid, std::uint64_t number) {
    const Index3 index{static_cast<unsigned>(number % clusters_.x), static_cast<unsigned>(number / clusters_.x % clusters_.y),
                       static_cast<unsigned>(number / clusters_.x / clusters_.y)};
    arrived_ = 0;
    if (size_ == 1) return first_.start(grid, index, 0);
    const GridRequest& request = grid.request;
    const Extent3& size = request.cluster;
    for (unsigned rank = 0; rank < size_; ++rank) {
        const Index3 inner{rank % size.x, rank / size.x % size.y, rank / size.x / size.y};
        block(rank).start(grid, {index.x * size.x + inner.x, index.y * size.y + inner.y, index.z * size.z + inner.z}, rank);
    }
    std::iota(order_.begin(), order_.end(), std::uint8_t{0});
    if (request.seed != 0) std::shuffle(order_.begin(), order_.end(), std::mt19937_64(request.seed + number));
}

Block::Progress Cluster::run() {
    using Progress = Block::Progress;
    if (size_ == 1) {
        const Progress progress = first_.run();
        if (progress != Progress::waiting) return progress;
        fail_deadlocked();
        return Progress::ended;
    }
    bool has_ended = true;
    bool is_polling = true;
    bool is_waiting = true;
    for (const unsigned rank : order_) {
        Block& each = block(rank);
        if (each.has_ended()) continue;
        const Progress progress = each.run();
        if (each.grid->has_failed()) return Progress::ended;
        has_ended &= progress == Progress::ended;
        is_polling &= progress != Progress::paused;
        is_waiting &= progress == Progress::waiting;
    }
    if (has_ended) return Progress::ended;
    // Blocks that waited at their turn may have been released by later blocks.
    if (is_waiting && std::ranges::none_of(order_, [&](unsigned rank) { return block(rank).is_ready(); })) {
        fail_deadlocked();
        return Progress::ended;
    }
    return is_polling && !is_waiting ? Progress::polling : Progress::paused;
}

void Cluster::release_if_complete() {
    unsigned live = first_.live_threads();
    for (const auto& each : others_) live += each->live_threads();
    if (arrived_ == 0 || arrived_ != live) return;
    arrived_ = 0;
    first_.pass_cluster_barrier();
    for (const auto& each : others_) each->pass_cluster_barrier();
}

// Blocks all of whose threads wait for the barrier of the cluster come last in the message, because they are not the reason.
void Cluster::fail_deadlocked() {
    constexpr int max_named = 4;
    const std::string kernel = " of kernel " + first_.grid->request.kernel->name;
    std::string text = "deadlock: no thread of " + (size_ == 1 ? std::string("block ") : "the cluster that begins with block ") +
                       first_.name() + kernel + " can continue";
    int named = 0;
    for (const bool is_reason : {true, false}) {
        for (unsigned rank = 0; rank < size_; ++rank) {
            Block& each = block(rank);
            if (each.has_ended() || each.waits_for_cluster_only() == is_reason || named++ >= max_named) continue;
            if (size_ != 1) text += "; in block " + each.name();
            text += each.describe_threads();
        }
    }
    first_.grid->fail(driver::CUDA_ERROR_LAUNCH_TIMEOUT, std::move(text));
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
