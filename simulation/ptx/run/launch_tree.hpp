// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <list>

#include "ptx/run/device_runtime.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// A grid of a tree that has begun and not completed.
struct RunningGrid {
    RunningGrid(LaunchTree& tree, std::shared_ptr<DeviceWork> own_work);

    const std::shared_ptr<DeviceWork> work;
    const std::unique_ptr<DeviceTask> task;
    DeviceRuntime runtime;
    Grid grid;
    std::unique_ptr<GridBlocks> blocks;
    std::list<RunningGrid>::iterator self;
    unsigned users = 0;                             ///< threads of the simulation that run one of its blocks
    std::size_t open = 0;                           ///< work that it submitted and that has not completed
    std::deque<std::unique_ptr<DeviceTask>> tails;  ///< in the order of the launches
};

/// A launch of the host and all launches of its kernels. A grid is complete when its blocks have ended, the work that it
/// submitted is complete, and then its tail launches are.
class LaunchTree {
public:
    explicit LaunchTree(const GridRequest& request);

    /// Runs all grids and waits for their ends.
    GridResult run();

    // For the runtime of a grid. The caller has locked the mutex.

    /// Begins work when what it waits for is complete.
    void submit(const std::shared_ptr<DeviceWork>& work);
    /// Counts a launch that has not begun. Returns false if there are too many.
    bool add_pending() noexcept;
    void remove_pending() noexcept { --pending_; }
    std::uint64_t new_handle() noexcept { return next_handle_ += 16; }

    std::mutex mutex;
    DeviceRuntimeHost& host;

private:
    using Lock = std::unique_lock<std::mutex>;

    void work() noexcept;
    /// Runs one block for its share, or one operation, or waits for other threads.
    void run_step(Lock& lock);
    bool can_run(RunningGrid& grid) const;
    bool is_crowded() const noexcept { return pending_ >= max_pending_ / 2; }
    void run_operation(Lock& lock);
    void begin_ready();
    void begin(std::shared_ptr<DeviceWork> work);
    void activate(RunningGrid& grid);
    void finish_blocks(RunningGrid& grid);
    /// Continues with the tail launches of work that has ended. Completes it if there are none.
    void complete(std::shared_ptr<DeviceWork> work);
    void fail(const GridResult& result);

    const GridRequest& request_;
    DeviceHeap own_heap_;
    std::condition_variable changed_;
    std::list<RunningGrid> grids_;
    std::list<RunningGrid*> active_;                      ///< grids with blocks that have not ended, in the order of their turns
    std::deque<std::shared_ptr<DeviceWork>> ready_;       ///< may begin
    std::deque<std::shared_ptr<DeviceWork>> operations_;  ///< have begun
    std::size_t running_ = 0;                             ///< threads of the simulation that run a block or an operation
    std::size_t pending_ = 0;
    const std::size_t max_pending_;
    std::uint64_t next_handle_ = 0x1000;
    std::uint64_t begun_ = 0;  ///< grids
    bool is_done_ = false;
    GridResult result_;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
