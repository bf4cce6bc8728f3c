// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/driver/types.hpp>

#include <cstdint>

namespace CUBIND_NAMESPACE {

/// A view of statistics of the memory of one device's graphs (cuDeviceGetGraphMemAttribute, cuDeviceSetGraphMemAttribute). The
/// statistics count the memory of allocation nodes, captured or added, of all graphs of the process. Sizes are in bytes as the
/// driver counts them. Any thread may use it.
class CUBIND_EXPORT GraphMemoryAttributes {
public:
    /// Returns the size of the memory that graphs have obtained from the device.
    [[nodiscard]] std::uint64_t reserved_mem_current() const { return get(driver::CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT); }
    /// Returns the maximum of reserved_mem_current() since the last reset.
    [[nodiscard]] std::uint64_t reserved_mem_high() const { return get(driver::CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH); }
    /// Resets reserved_mem_high().
    void reset_reserved_mem_high() const { reset(driver::CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH); }
    /// Returns the size of the memory that is associated with graphs now.
    [[nodiscard]] std::uint64_t used_mem_current() const { return get(driver::CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT); }
    /// Returns the maximum of used_mem_current() since the last reset.
    [[nodiscard]] std::uint64_t used_mem_high() const { return get(driver::CU_GRAPH_MEM_ATTR_USED_MEM_HIGH); }
    /// Resets used_mem_high().
    void reset_used_mem_high() const { reset(driver::CU_GRAPH_MEM_ATTR_USED_MEM_HIGH); }

private:
    friend class GraphMemoryResource;
    explicit GraphMemoryAttributes(Device device) noexcept : device_(device) {}
    std::uint64_t get(driver::CUgraphMem_attribute which) const;
    void reset(driver::CUgraphMem_attribute which) const;

    Device device_;
};

/// Device memory of graphs. Allocating with a GraphBuilder, or with another stream that is capturing, adds an allocation node
/// to the graph, and freeing during the capture adds a free node (cuMemAllocFromPoolAsync, cuMemFreeAsync). Each launch
/// allocates the memory again, at the same address. If a buffer is destroyed after the capture, the memory remains allocated
/// after each launch until it is freed in a stream.
///
/// Device::allocate() and DeviceMemoryResource add the same nodes during a capture. This resource rejects other streams, so
/// that it never allocates memory outside of a graph by mistake, and it does not depend on Device::set_memory_resource().
///
///     const GraphMemoryResource memory(device);
///     builder.begin_building();
///     TypedBuffer<float> scratch = memory.allocate<float>(builder, n);
///
/// All objects for one device are handles of the same resource. Any thread may use it.
class CUBIND_EXPORT GraphMemoryResource final : public detail::ResourceHandle {
public:
    /// Creates a handle. Throws Error if the device has no memory pools, because graphs then cannot allocate memory.
    explicit GraphMemoryResource(Device device);

    /// Returns the device of the memory.
    [[nodiscard]] Device device() const;

    /// Returns a view of the memory statistics of the device's graphs.
    [[nodiscard]] GraphMemoryAttributes attributes() const { return GraphMemoryAttributes(device()); }

    /// Returns to the device the memory that graphs have reserved and no longer use, such as the memory of completed launches and
    /// of destroyed graphs (cuDeviceGraphMemTrim). It does not affect captures.
    void trim() const;
};

}  // namespace CUBIND_NAMESPACE
