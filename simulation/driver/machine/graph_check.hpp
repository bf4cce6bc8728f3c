// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/executable.hpp"
#include "graph/graph_store.hpp"
#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Holds the lock of graphs as long as it exists.
struct GraphsCheck {
    GraphsCheck() : status(check_initialized()) {
        if (status == driver::CUDA_SUCCESS) lock = std::unique_lock(store().mutex);
    }
    bool failed() const noexcept { return status != driver::CUDA_SUCCESS; }
    static GraphStore& store() { return machine().graph_store; }

    driver::CUresult status;
    std::unique_lock<std::mutex> lock;
};

/// A graph, found by its handle, and the lock of graphs.
struct GraphCheck : GraphsCheck {
    explicit GraphCheck(driver::CUgraph handle) {
        if (failed()) return;
        graph = store().graphs.find(handle);
        if (graph == nullptr) status = driver::CUDA_ERROR_INVALID_VALUE;
    }
    Graph* operator->() const noexcept { return graph.get(); }
    Graph& operator*() const noexcept { return *graph; }

    std::shared_ptr<Graph> graph;
};

/// A node, found by its handle, and the lock of graphs.
struct NodeCheck : GraphsCheck {
    explicit NodeCheck(driver::CUgraphNode handle) {
        if (failed()) return;
        node = store().nodes.find(handle);
        if (node == nullptr) status = driver::CUDA_ERROR_INVALID_VALUE;
    }
    Node* operator->() const noexcept { return node.get(); }
    Node& operator*() const noexcept { return *node; }

    std::shared_ptr<Node> node;
};

/// A node with an operation of one kind, found by its handle, and the lock of graphs.
template <class Kind>
struct OperationCheck : NodeCheck {
    explicit OperationCheck(driver::CUgraphNode handle) : NodeCheck(handle) {
        if (failed()) return;
        operation = std::get_if<Kind>(&node->operation);
        if (operation == nullptr) status = driver::CUDA_ERROR_INVALID_VALUE;
    }
    Kind* operator->() const noexcept { return operation; }
    Kind& operator*() const noexcept { return *operation; }

    Kind* operation = nullptr;
};

/// An executable graph, found by its handle, and the lock of graphs.
struct ExecutableCheck : GraphsCheck {
    explicit ExecutableCheck(driver::CUgraphExec handle) {
        if (failed()) return;
        executable = store().executables.find(handle);
        if (executable == nullptr) status = driver::CUDA_ERROR_INVALID_VALUE;
    }
    GraphExec* operator->() const noexcept { return executable.get(); }

    std::shared_ptr<GraphExec> executable;
};

/// A node of an executable graph, found by the handle of the original node.
struct ExecutableNodeCheck : ExecutableCheck {
    ExecutableNodeCheck(driver::CUgraphExec handle, driver::CUgraphNode original) : ExecutableCheck(handle) {
        if (failed()) return;
        node = executable->find(original);
        if (node == nullptr) status = driver::CUDA_ERROR_INVALID_VALUE;
    }

    const Node* node = nullptr;
};

}  // namespace CUBIND_NAMESPACE::sim
