// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/run/grid.hpp"
#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

class Cluster;

/// A barrier of a block.
struct Barrier {
    unsigned arrived = 0;   ///< threads that wait or have arrived without waiting
    unsigned missing = 0;   ///< threads that have ended, or that the last warp does not have, of warps that have arrived
    unsigned expected = 0;  ///< threads that release it; 0 for all threads of the block that have not ended
    BarrierResult result;   ///< of a reduction over the threads that have arrived
};

/// A block of threads with its shared memory. Is used by one thread of the simulation at a time.
class Block {
public:
    static constexpr unsigned barrier_count = 16;

    Block(Cluster& own_cluster, RangeCache& ranges) : cluster(own_cluster), memory(ranges) {}

    /// Prepares the block with this index of a grid, and this rank in its cluster.
    void start(Grid& grid, Index3 index, unsigned rank);

    /// `polling` is a pause before which all threads only read what other blocks may write. A block is `waiting` if none of its
    /// threads can continue before the barrier of the cluster is complete.
    enum class Progress { ended, paused, polling, waiting };
    /// Runs until all threads have ended or wait, or until the block has run for its share. Fails the launch if no thread can
    /// continue, whatever other blocks do.
    Progress run();

    bool has_ended() const noexcept { return live_ == 0; }

    // For the cluster.

    unsigned live_threads() const noexcept { return live_; }
    /// Returns whether a thread can continue.
    bool is_ready() const noexcept;
    /// Returns whether each thread that has not ended waits for the barrier of the cluster.
    bool waits_for_cluster_only() const noexcept;
    /// Lets threads that have arrived at the barrier of the cluster pass it.
    void pass_cluster_barrier() noexcept;
    /// Returns the index of the block for messages.
    std::string name() const;
    /// Describes where the first parts of warps are or wait, each after a semicolon.
    std::string describe_threads() const;

    // For handlers and warps.

    /// Counts some threads of a warp as arrived at a barrier that `expected` threads release; 0 for all of the block. Threads in
    /// `predicate` are those whose predicate is true for the reduction.
    void arrive(unsigned barrier, const Warp& warp, std::uint32_t lanes, unsigned expected, std::uint32_t predicate = 0);
    /// Removes threads of a warp from those that barriers wait for. `arrived` of them have arrived at the barrier of the cluster.
    void end_threads(const Warp& warp, unsigned count, unsigned arrived);
    /// Ends the launch with a message that names kernel, block, thread and line.
    void fail(const Warp& warp, const Instruction& instruction, const Fault& fault);

    /// Counts threads that a barrier of the block has released as arrived at the barrier of the grid. The first ones count the
    /// block, and all must arrive before the next barrier.
    void arrive_in_grid(unsigned threads) noexcept {
        if (arriving_in_grid_ == 0) {
            arriving_in_grid_ = live_;
            grid_barrier_ = grid->arrive();
        }
        arriving_in_grid_ -= threads;
    }
    bool has_passed_grid_barrier() const noexcept { return grid->has_passed_barrier(grid_barrier_); }
    /// Pauses the block when the warps have had their turns, so that launches of its threads can begin.
    void give_way() noexcept { gives_way_ = true; }

    /// Returns the index in the block of a thread of a warp.
    Index3 thread_index(unsigned linear) const noexcept;
    std::byte* shared_memory() noexcept { return shared_.data(); }
    std::size_t shared_size() const noexcept { return shared_size_; }

    Grid* grid = nullptr;
    Index3 index;
    std::uint64_t linear_index = 0;
    unsigned rank = 0;               ///< in the cluster
    std::uint64_t shared_begin = 0;  ///< address of the shared memory in its state space
    unsigned threads = 0;
    Cluster& cluster;
    RangeCache& memory;
    Barrier barriers[barrier_count];

private:
    void release_if_complete(unsigned barrier);
    /// Ends the launch if the request demands it. Returns whether it did.
    bool is_interrupted();
    bool waits_for_cluster() const noexcept;

    unsigned live_ = 0;
    bool gives_way_ = false;
    unsigned arriving_in_grid_ = 0;   ///< threads that have not arrived at the barrier of the grid since the first ones have
    std::uint64_t grid_barrier_ = 0;  ///< result of Grid::arrive() for this barrier
    AlignedBytes shared_;
    std::size_t shared_size_ = 0;
    std::size_t warps_used_ = 0;
    std::vector<std::unique_ptr<Warp>> warps_;
    std::vector<std::uint16_t> order_;  ///< of the warps
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
