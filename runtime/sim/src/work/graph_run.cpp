// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/graph_run.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Limits of CUDA for one run of a graph.
constexpr std::size_t max_children = 120;
constexpr std::size_t max_tails = 255;

thread_local constinit GraphRun* current_run = nullptr;

/// Makes a run the current one of the thread.
class CurrentRun {
public:
    explicit CurrentRun(GraphRun& run) noexcept : previous_(std::exchange(current_run, &run)) {}
    CurrentRun(const CurrentRun&) = delete;
    CurrentRun& operator=(const CurrentRun&) = delete;
    ~CurrentRun() { current_run = previous_; }

private:
    GraphRun* const previous_;
};

}  // namespace

GraphRun* GraphRun::current() noexcept {
    return current_run;
}

void GraphRun::run(GraphSteps steps) {
    Tree tree;
    if (steps.graph != nullptr) tree.launched.insert(steps.graph);
    run_in_order(tree, std::move(steps));
}

void GraphRun::run_in_order(Tree& tree, GraphSteps first) {
    GraphSteps next = std::move(first);
    std::vector<GraphSteps> pending;  // the next one is the last element
    for (;;) {
        GraphRun run(tree, next.graph);
        const CurrentRun current(run);
        run_steps(next.steps);
        run.run_children();
        const std::lock_guard lock(tree.mutex);
        if (const auto found = tree.launched.find(next.graph); found != tree.launched.end()) tree.launched.erase(found);
        std::move(run.tails_.rbegin(), run.tails_.rend(), std::back_inserter(pending));
        if (pending.empty()) return;
        next = std::move(pending.back());
        pending.pop_back();
    }
}

ptx::DeviceError GraphRun::add_tail(GraphSteps steps) {
    const std::lock_guard lock(tree_.mutex);
    const std::size_t allowed = steps.graph == graph_ ? 1 : 0;  // this run is a launch of its graph
    if (tails_.size() >= max_tails || tree_.launched.count(steps.graph) > allowed) return ptx::DeviceError::invalid_value;
    tree_.launched.insert(steps.graph);
    tails_.push_back(std::move(steps));
    return ptx::DeviceError::none;
}

ptx::DeviceError GraphRun::add_child(GraphSteps steps) {
    const std::lock_guard lock(tree_.mutex);
    if (children_added_ >= max_children || tree_.launched.contains(steps.graph)) return ptx::DeviceError::invalid_value;
    tree_.launched.insert(steps.graph);
    children_.push_back(std::move(steps));
    ++children_added_;
    return ptx::DeviceError::none;
}

std::vector<GraphSteps> GraphRun::take_children() {
    const std::lock_guard lock(tree_.mutex);
    return std::exchange(children_, {});
}

void GraphRun::run_children() {
    for (GraphSteps& each : take_children()) run_in_order(tree_, std::move(each));
}

}  // namespace CUBIND_NAMESPACE::sim
