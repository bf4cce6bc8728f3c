// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/graph_run.hpp"

#include <algorithm>
#include <iterator>
#include <list>
#include <memory>
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

/// Graphs that run one after another.
struct GraphRun::Chain {
    std::vector<GraphSteps> pending;     ///< the next one is the last element
    std::unique_ptr<GraphRun> run;       ///< null before a graph begins
    std::vector<WorkQueue::Work> steps;  ///< of this run
    std::size_t next_step = 0;
    std::vector<GraphSteps> children;  ///< of the latest step; the next one is the last element
};

void GraphRun::run(GraphSteps steps) {
    Tree tree;
    if (steps.graph != nullptr) tree.launched.insert(steps.graph);
    std::vector<GraphSteps> tails;
    {
        GraphRun run(tree, steps.graph, false);
        const CurrentRun current(run);
        run_steps(steps.steps);
        run.run_children();
        tails = run.end();
    }
    if (!tails.empty()) run_by_kernels(tree, std::move(tails));
}

// The list takes the place of recursion, whose depth the stack of the thread would limit.
void GraphRun::run_by_kernels(Tree& tree, std::vector<GraphSteps> graphs) {
    std::list<Chain> chains;  // each but the first one is a child of a graph of the previous one
    chains.emplace_back().pending = std::move(graphs);
    while (!chains.empty()) {
        Chain& chain = chains.back();
        if (!chain.children.empty()) {
            chains.emplace_back().pending.push_back(std::move(chain.children.back()));
            chain.children.pop_back();
        } else if (chain.run != nullptr && chain.next_step < chain.steps.size()) {
            const CurrentRun current(*chain.run);
            chain.steps[chain.next_step++]();
            chain.children = chain.run->take_children();
        } else if (chain.run != nullptr) {
            std::ranges::move(chain.run->end(), std::back_inserter(chain.pending));
            chain.run = nullptr;
        } else if (!chain.pending.empty()) {
            GraphSteps& next = chain.pending.back();
            chain.run.reset(new GraphRun(tree, next.graph, true));
            chain.steps = std::move(next.steps);
            chain.next_step = 0;
            chain.pending.pop_back();
        } else {
            chains.pop_back();
        }
    }
}

std::vector<GraphSteps> GraphRun::end() {
    const std::lock_guard lock(tree_.mutex);
    if (const auto found = tree_.launched.find(graph_); found != tree_.launched.end()) tree_.launched.erase(found);
    std::ranges::reverse(tails_);
    return std::exchange(tails_, {});
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
    std::ranges::reverse(children_);
    return std::exchange(children_, {});
}

void GraphRun::run_children() {
    if (is_by_kernel_) return;
    std::vector<GraphSteps> children = take_children();
    if (!children.empty()) run_by_kernels(tree_, std::move(children));
}

}  // namespace CUBIND_NAMESPACE::sim
