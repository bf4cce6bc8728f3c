// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"
#include "objects/stream/stream.hpp"
#include "work/graph_run.hpp"

namespace CUBIND_NAMESPACE::sim {

/// An instantiated copy of a graph. Guarded by the lock of graphs.
class GraphExec {
public:
    GraphExec(driver::CUgraphExec own_handle, driver::cuuint64_t own_flags, std::shared_ptr<Graph> copy);

    /// Returns the node that corresponds to a node of the original graph, or null.
    const Node* find(driver::CUgraphNode original) const;
    /// Returns the same node, which must exist, for a change.
    Node& change(driver::CUgraphNode original);
    /// Submits all operations to the stream. They start after previous launches of this executable graph have ended.
    driver::CUresult launch(Stream& stream);
    /// Makes launches by kernels perform the operations that the graph has now, if it was instantiated for them. A launch of the
    /// host does so, too.
    void upload();
    /// Returns whether the graph was instantiated for launches by kernels.
    bool is_for_device() const noexcept { return (flags & driver::CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0; }
    /// Writes the steps of a launch by a kernel, which performs the operations of the latest upload. Returns false if there was
    /// no upload.
    bool plan_for_device(const std::shared_ptr<const Context>& context, GraphSteps& steps) const;
    /// Replaces all operations by those of a graph with the same topology. If that is not possible, the result
    /// contains the reason.
    driver::CUgraphExecUpdateResultInfo update(const Graph& next, const OperationMemory& memory);

    const driver::CUgraphExec handle;
    const driver::cuuint64_t flags;
    const std::shared_ptr<Graph> graph;

private:
    /// Returns the handle if kernels can launch the graph, or null.
    driver::CUgraphExec device_handle() const noexcept { return is_for_device() ? handle : nullptr; }
    /// Plans a launch and submits it. If that fails, the caller rolls the plan back.
    driver::CUresult submit(Stream& stream, Plan& plan);

    std::unordered_map<driver::CUgraphNode, Node*> nodes_;
    Ticket last_;
    std::optional<std::vector<Operation>> uploaded_;  ///< in the order of a launch
    bool is_changed_ = true;                          ///< whether `uploaded_` may differ from the graph
};

}  // namespace CUBIND_NAMESPACE::sim
