// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <set>
#include <vector>

#include "objects/stream/work_queue.hpp"
#include "ptx/run/device_runtime.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

/// The steps of a graph that a launch runs.
struct GraphSteps {
    CUgraphExec graph = nullptr;  ///< null if kernels cannot launch the graph
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
    CUgraphExec graph() const noexcept { return graph_; }
    /// Adds a graph that runs after this one and before the graphs that were added to the run that launched this one.
    ptx::DeviceError add_tail(GraphSteps steps);
    /// Adds a graph that has no order with the rest of this one.
    ptx::DeviceError add_child(GraphSteps steps);
    /// Runs the graphs of add_child() and waits for their ends.
    void run_children();

private:
    /// The graphs that a launch of the host has launched and that have not ended. A graph has one launch at a time, except that
    /// its kernels can add it as a tail.
    struct Tree {
        std::mutex mutex;
        std::multiset<CUgraphExec> launched;
    };

    GraphRun(Tree& tree, CUgraphExec graph) noexcept : tree_(tree), graph_(graph) {}
    /// Runs a graph and the tails that follow, each with its children.
    static void run_in_order(Tree& tree, GraphSteps first);
    std::vector<GraphSteps> take_children();

    Tree& tree_;
    const CUgraphExec graph_;
    // The mutex of the tree guards all members below. Vectors allocate no memory for graphs that launch none.
    std::vector<GraphSteps> children_;
    std::vector<GraphSteps> tails_;
    std::size_t children_added_ = 0;
};

}  // namespace CUBIND_NAMESPACE::sim
