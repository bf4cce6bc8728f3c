// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "graph/graph_store.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

auto find_end(std::vector<Dependency>& ends, const Node& node) {
    return std::ranges::find_if(ends, [&](const Dependency& each) { return each.node == &node; });
}

bool is_same(const CUgraphEdgeData& a, const CUgraphEdgeData& b) noexcept {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// Checks the data of an edge. Ports and programmatic dependencies exist only between kernels.
bool is_valid(const CUgraphEdgeData& data, const Node& from, const Node& to) noexcept {
    if (is_same(data, {})) return true;
    const bool are_kernels =
        type_of(from.operation) == CU_GRAPH_NODE_TYPE_KERNEL && type_of(to.operation) == CU_GRAPH_NODE_TYPE_KERNEL;
    const bool is_port = data.from_port <= 2 && data.to_port == 0;
    const CUgraphEdgeData named{data.from_port, data.to_port, data.type, {}};
    return are_kernels && is_port && data.type <= CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC && is_same(data, named);
}

}  // namespace

std::vector<std::shared_ptr<Graph>> graphs_in(const Operation& operation) {
    if (const auto* const child = std::get_if<ChildOperation>(&operation)) return {child->graph};
    if (const auto* const conditional = std::get_if<ConditionalOperation>(&operation)) return conditional->bodies;
    return {};
}

Graph::Graph(CUgraph own_handle, GraphStore* store, int nesting, bool within_conditional)
    : handle(own_handle), depth(nesting), is_conditional(within_conditional), store_(store) {}

Graph::~Graph() {
    if (store_ == nullptr) return;
    for (const auto& node : nodes_) store_->nodes.remove(node->handle);
}

Node& Graph::add(Operation operation) {
    const auto node_handle = reinterpret_cast<CUgraphNode>(new_handle_value());
    const auto node = std::make_shared<Node>(node_handle, *this, std::move(operation));
    nodes_.push_back(node);
    try {
        if (store_ != nullptr) store_->nodes.add(node_handle, node);
    } catch (...) {
        nodes_.pop_back();
        throw;
    }
    return *node;
}

void Graph::remove(Node& node) {
    for (const Dependency& each : node.dependencies) each.node->dependents.erase(find_end(each.node->dependents, node));
    for (const Dependency& each : node.dependents) each.node->dependencies.erase(find_end(each.node->dependencies, node));
    store_->nodes.remove(node.handle);
    std::erase_if(nodes_, [&](const auto& each) { return each.get() == &node; });
}

CUresult Graph::connect(Node& from, Node& to, const CUgraphEdgeData& data) {
    if (&from == &to || !is_valid(data, from, to) || find_end(to.dependencies, from) != to.dependencies.end()) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    from.dependents.push_back({&to, data});
    try {
        to.dependencies.push_back({&from, data});
    } catch (...) {
        from.dependents.pop_back();
        throw;
    }
    return CUDA_SUCCESS;
}

CUresult Graph::disconnect(Node& from, Node& to, const CUgraphEdgeData& data) {
    const auto found = find_end(to.dependencies, from);
    if (found == to.dependencies.end() || !is_same(found->data, data)) return CUDA_ERROR_INVALID_VALUE;
    to.dependencies.erase(found);
    from.dependents.erase(find_end(from.dependents, to));
    return CUDA_SUCCESS;
}

CUresult Graph::copy(CUgraph copy_handle, GraphStore* store, int nesting, bool within_conditional,
                     std::shared_ptr<Graph>& result) const {
    if (nesting > max_depth) return CUDA_ERROR_INVALID_VALUE;
    std::size_t count = 0;
    for_each_node([&](const Node&) { ++count; });
    if (count > max_nodes) return CUDA_ERROR_OUT_OF_MEMORY;
    result = std::make_shared<Graph>(copy_handle, store, nesting, within_conditional);
    std::unordered_map<const Node*, Node*> copies;
    for (const auto& node : nodes_) {
        Operation operation = node->operation;
        if (const CUresult status = copy_inner_graphs(operation, store, nesting + 1, within_conditional)) return status;
        Node& copy = result->add(std::move(operation));
        copy.original = node->handle;
        copy.is_enabled = node->is_enabled;
        copies.emplace(node.get(), &copy);
    }
    for (const auto& node : nodes_) {
        const auto copied = [&](const Dependency& each) { return Dependency{copies.at(each.node), each.data}; };
        Node& copy = *copies.at(node.get());
        std::ranges::transform(node->dependencies, std::back_inserter(copy.dependencies), copied);
        std::ranges::transform(node->dependents, std::back_inserter(copy.dependents), copied);
    }
    result->user_objects = sim::copy(*user_objects);
    return CUDA_SUCCESS;
}

bool Graph::order(std::vector<Node*>& ordered) const {
    std::unordered_map<const Node*, std::size_t> waiting;
    ordered.clear();
    for (const auto& node : nodes_) {
        if (node->dependencies.empty()) ordered.push_back(node.get());
        waiting.emplace(node.get(), node->dependencies.size());
    }
    for (std::size_t next = 0; next < ordered.size(); ++next) {
        for (const Dependency& each : ordered[next]->dependents) {
            if (--waiting.at(each.node) == 0) ordered.push_back(each.node);
        }
    }
    return ordered.size() == nodes_.size();
}

std::vector<Node*> Graph::enabled_nodes() const {
    std::vector<Node*> ordered;
    order(ordered);
    std::erase_if(ordered, [](const Node* node) { return !node->is_enabled; });
    return ordered;
}

std::vector<Operation> Graph::enabled_operations() const {
    std::vector<Operation> operations;
    for (const Node* const node : enabled_nodes()) operations.push_back(node->operation);
    return operations;
}

CUresult Graph::plan(Plan& launch) const {
    for (const Node* const node : enabled_nodes()) {
        if (const CUresult status = sim::plan(node->operation, launch)) return status;
    }
    return CUDA_SUCCESS;
}

bool Graph::uses(const Condition& condition) const {
    bool is_used = false;
    for_each_node([&](const Node& node) {
        const auto* const user = std::get_if<ConditionalOperation>(&node.operation);
        is_used |= user != nullptr && user->condition.get() == &condition;
    });
    return is_used;
}

bool Graph::has_memory_nodes() const {
    bool has_nodes = false;
    for_each_node([&](const Node& node) {
        has_nodes |=
            std::holds_alternative<AllocOperation>(node.operation) || std::holds_alternative<FreeOperation>(node.operation);
    });
    return has_nodes;
}

}  // namespace CUBIND_NAMESPACE::sim
