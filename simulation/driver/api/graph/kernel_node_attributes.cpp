// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simulation/functions.hpp>

#include "machine/graph_check.hpp"
#include "machine/node_operations.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

using KernelNodeCheck = OperationCheck<KernelOperation>;

// Checks whether a kernel node stores the launch attribute. A capture turns attributes for events and stream order into nodes and
// edges.
bool is_node_attribute(CUkernelNodeAttrID attribute) noexcept {
    switch (attribute) {
        case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return true;
        default:
            return false;
    }
}

// Replaces the attributes of a kernel node, if the launch is valid with them.
CUresult set_attributes(KernelOperation& kernel, std::vector<CUlaunchAttribute> attributes) {
    KernelOperation changed;
    if (const CUresult status = make_kernel(kernel.parameters(), std::move(attributes), changed)) return status;
    kernel = std::move(changed);
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult sim_cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, CUkernelNodeAttrValue* value_out) {
    const Valid<KernelNodeCheck> kernel(hNode);
    // Readable only: the device cannot update the nodes of a simulation.
    const bool is_readable = attr == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE;
    if (!is_readable && !is_node_attribute(attr)) return CUDA_ERROR_INVALID_VALUE;
    const auto& all = kernel->attributes();
    const auto found = std::ranges::find(all, attr, &CUlaunchAttribute::id);
    return write_output(value_out, found != all.end() ? found->value : CUkernelNodeAttrValue{});
}

CUresult sim_cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue* value) {
    const Valid<KernelNodeCheck> kernel(hNode);
    if (!is_node_attribute(attr) || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto attributes = kernel->attributes();
    std::erase_if(attributes, [&](const CUlaunchAttribute& each) { return each.id == attr; });
    CUlaunchAttribute& added = attributes.emplace_back();
    added.id = attr;
    added.value = *value;
    return set_attributes(*kernel, std::move(attributes));
}

CUresult sim_cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) {
    std::vector<CUlaunchAttribute> attributes;
    {
        const Valid<KernelNodeCheck> from(src);
        attributes = from->attributes();
    }
    const Valid<KernelNodeCheck> to(dst);
    return set_attributes(*to, std::move(attributes));
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
