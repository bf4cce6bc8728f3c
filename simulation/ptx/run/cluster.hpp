// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/run/block.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// The blocks of a cluster, which can access each other's shared memory. One thread of the simulation runs all of them in turns,
/// so that their accesses need no atomic operations of the host. A launch without clusters has clusters of one block.
class Cluster {
public:
    explicit Cluster(const Grid& grid);
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    /// Prepares the cluster with this number of a grid.
    void start(Grid& grid, std::uint64_t number);
    /// Runs each block for its share. Fails the launch if no thread can continue.
    Block::Progress run();

    // For handlers and blocks.

    unsigned size() const noexcept { return size_; }
    /// Returns the block with this rank, which is less than size().
    Block& block(unsigned rank) noexcept { return rank == 0 ? first_ : *others_[rank - 1]; }
    /// Counts some threads of a warp, whose arrival the warp has stored, as arrived at the barrier of the cluster.
    void arrive(unsigned threads) {
        arrived_ += threads;
        release_if_complete();
    }
    /// Is called when threads end. `arrived` of them have arrived at the barrier and not passed it. The barrier waits only for
    /// threads that have not ended.
    void end_threads(unsigned arrived) {
        arrived_ -= arrived;
        if (arrived_ != 0) release_if_complete();
    }

private:
    void release_if_complete();
    void fail_deadlocked();

    RangeCache ranges_;
    Block first_;
    std::vector<std::unique_ptr<Block>> others_;  ///< in the order of their ranks, which begin at 1
    std::vector<std::uint8_t> order_;             ///< of the blocks' ranks; empty for one block
    Extent3 clusters_;                            ///< of the grid
    unsigned size_ = 1;
    unsigned arrived_ = 0;  ///< threads that have arrived at the barrier
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
