// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "objects/stream/work_queue.hpp"
#include "ptx/run/device_runtime.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The steps of a graph that a launch runs.
struct GraphSteps {
    driver::CUgraphExec graph = nullptr;  ///< null if kernels cannot launch the graph
    std::vector<WorkQueue::Work> steps;
};

/// The run of one graph, on the thread of its stream, and the graphs that its kernels launched. These run on the same thread:
/// those without an order after the kernel that launched them, tail launches after the graph. Kernels add graphs on any thread.
class GraphRun {
public:
    /// Runs a graph for a launch of the host, and the graphs that it launches.
    static void run(GraphSteps steps);
    /// Returns the run of the calling thread, or null.
    static GraphRun* current() noexcept;

    /// Returns the graph, or null if kernels cannot launch it.
    driver::CUgraphExec graph() const noexcept { return graph_; }
    using Clock = std::chrono::steady_clock;
    /// Returns when the launch of the host began if a kernel launched this graph. Otherwise returns nothing.
    std::optional<Clock::time_point> start() const noexcept { return is_by_kernel_ ? std::optional(tree_.start) : std::nullopt; }
    /// Adds a graph that runs after this one and before the graphs that were added to the run that launched this one.
    ptx::DeviceError add_tail(GraphSteps steps);
    /// Adds a graph that has no order with the rest of this one.
    ptx::DeviceError add_child(GraphSteps steps);
    /// Runs the graphs of add_child() and waits for their ends, if the host launched this graph. Those of other graphs run when
    /// the step has returned, because each of them may have children, too, without a limit.
    void run_children();

private:
    /// The graphs that a launch of the host has launched and that have not ended. A graph has one launch at a time, except that
    /// its kernels can add it as a tail.
    struct Tree {
        const Clock::time_point start = Clock::now();
        std::mutex mutex;
        std::multiset<driver::CUgraphExec> launched;
    };
    struct Chain;

    GraphRun(Tree& tree, driver::CUgraphExec graph, bool is_by_kernel) noexcept
        : tree_(tree), graph_(graph), is_by_kernel_(is_by_kernel) {}
    /// Runs graphs that kernels launched, the last element first. Each is followed by its tails.
    static void run_by_kernels(Tree& tree, std::vector<GraphSteps> graphs);
    std::vector<GraphSteps> take_children();
    /// Ends the launch of the graph. Returns its tails, the first one as the last element.
    std::vector<GraphSteps> end();

    Tree& tree_;
    const driver::CUgraphExec graph_;
    const bool is_by_kernel_;
    // The mutex of the tree guards all members below. Vectors allocate no memory for graphs that launch none.
    std::vector<GraphSteps> children_;
    std::vector<GraphSteps> tails_;
    std::size_t children_added_ = 0;
};

}  // namespace CUBIND_NAMESPACE::sim
