// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/run/grid.hpp"
#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// A barrier of a block.
struct Barrier {
    unsigned arrived = 0;   ///< threads that wait or have arrived without waiting
    unsigned expected = 0;  ///< threads that release it; 0 for all threads of the block that have not ended
    unsigned waiting = 0;   ///< parts of warps that wait
    // Results of a reduction over the threads that have arrived.
    std::uint32_t count = 0;
    bool all = true;
    bool any = false;
    // Results of the last reduction, which released threads read.
    std::uint32_t last_count = 0;
    bool last_all = false;
    bool last_any = false;
};

/// A block of threads with its shared memory. Is used by one thread of the simulation at a time.
class Block {
public:
    static constexpr unsigned barrier_count = 16;

    explicit Block(RangeCache& ranges) : memory(ranges) {}

    /// Prepares the block with this index of a grid.
    void start(Grid& grid, Index3 index, std::uint64_t linear_index);

    enum class Progress { ended, paused };
    /// Runs until all threads have ended, or until the block has run for its share. Detects that no thread can continue.
    Progress run();

    // For handlers and warps.

    /// Counts the active threads of the warp as arrived at a barrier that `expected` threads release; 0 for all of the block.
    void arrive(unsigned barrier, unsigned threads, unsigned expected);
    /// Removes threads from those that barriers wait for.
    void end_threads(unsigned count);
    /// Ends the launch with a message that names kernel, block, thread and line.
    void fail(const Warp& warp, const Instruction& instruction, const Fault& fault);

    /// Returns the index in the block of a thread of a warp.
    Index3 thread_index(unsigned linear) const noexcept;
    std::byte* shared_memory() noexcept { return shared_.data(); }
    std::size_t shared_size() const noexcept { return shared_size_; }

    Grid* grid = nullptr;
    Index3 index;
    std::uint64_t linear_index = 0;
    unsigned threads = 0;
    RangeCache& memory;
    Barrier barriers[barrier_count];

private:
    void release_if_complete(unsigned barrier);
    std::string describe_waiting() const;

    unsigned live_ = 0;
    AlignedBytes shared_;
    std::size_t shared_size_ = 0;
    std::size_t warps_used_ = 0;
    std::vector<std::unique_ptr<Warp>> warps_;
    std::vector<std::uint16_t> order_;  ///< of the warps
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
