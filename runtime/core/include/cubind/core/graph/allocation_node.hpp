// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/graph/graph_node.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace CUBIND_NAMESPACE {

/// An allocation of memory by the graph. It can be the argument of a kernel. All getters call
/// cuGraphMemAllocNodeGetParams.
class CUBIND_EXPORT AllocationNode : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_MEM_ALLOC;

    /// Returns the address of the memory, which is valid only for work that depends on this node.
    [[nodiscard]] driver::CUdeviceptr address() const;
    /// Returns the size in bytes.
    [[nodiscard]] std::size_t size() const;
    /// Returns the kind of the memory.
    [[nodiscard]] MemoryType memory_type() const;
    /// Returns the device of the memory. Throws std::invalid_argument for host memory.
    [[nodiscard]] Device device() const;
    /// Returns the other devices that can access the memory.
    [[nodiscard]] std::vector<Device> peer_accessible_by() const;
    /// Returns the memory as bytes, as an operand of copies and fills.
    [[nodiscard]] std::span<std::byte> bytes() const;
    /// Returns the address, for launches that pass the node as an argument.
    [[nodiscard]] void* kernel_argument() const { return reinterpret_cast<void*>(address()); }

protected:
    friend class GraphNode;
    friend class GraphPosition;
    /// Creates a view of the same node.
    explicit AllocationNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

/// An allocation of elements by the graph. It can be the argument of a kernel.
template <class Element>
class TypedAllocationNode final : public AllocationNode {
public:
    /// Returns the elements, as an operand of copies and fills.
    [[nodiscard]] std::span<Element> span() const { return {kernel_argument(), count()}; }
    /// Returns the number of elements.
    [[nodiscard]] std::size_t count() const { return size() / sizeof(Element); }
    /// Returns the address, for launches that pass the node as an argument.
    [[nodiscard]] Element* kernel_argument() const { return reinterpret_cast<Element*>(address()); }

private:
    friend class GraphPosition;
    explicit TypedAllocationNode(const AllocationNode& node) noexcept : AllocationNode(node) {}
};

/// A free of memory that a graph allocates.
class CUBIND_EXPORT FreeNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_MEM_FREE;

    /// Returns the address of the memory (cuGraphMemFreeNodeGetParams).
    [[nodiscard]] driver::CUdeviceptr address() const;

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit FreeNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

template <class Element>
TypedAllocationNode<Element> GraphPosition::allocate(std::size_t count, const GraphAllocationOptions& options) const {
    static_assert(std::is_trivially_copyable_v<Element>, "memory holds bytes: its elements must be trivially copyable");
    return TypedAllocationNode<Element>(allocate(detail::size_of<Element>(count), options));
}

}  // namespace CUBIND_NAMESPACE
