// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Determines the corresponding attribute of the pool. Graphs retain memory until it is trimmed, so that used memory
// equals reserved memory. Returns whether the attribute is a high watermark.
bool is_high_watermark(CUgraphMem_attribute attribute, CUmemPool_attribute& counterpart) noexcept {
    const bool is_high = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
    counterpart = is_high ? CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH : CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
    return is_high;
}

bool is_attribute(CUgraphMem_attribute attribute) noexcept {
    return attribute <= CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
}

}  // namespace

extern "C" {

CUresult sim_cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value) {
    const Valid<DeviceCheck> check(device);
    if (value == nullptr || !is_attribute(attr)) return CUDA_ERROR_INVALID_VALUE;
    CUmemPool_attribute counterpart;
    is_high_watermark(attr, counterpart);
    return check->graph_pool->get(counterpart, value);
}

CUresult sim_cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value) {
    const Valid<DeviceCheck> check(device);
    CUmemPool_attribute counterpart;
    if (value == nullptr || !is_attribute(attr) || !is_high_watermark(attr, counterpart)) return CUDA_ERROR_INVALID_VALUE;
    return check->graph_pool->set(counterpart, value);
}

CUresult sim_cuDeviceGraphMemTrim(CUdevice device) {
    const DeviceCheck check(device);
    if (!check.failed()) check->graph_pool->trim(0);
    return check.status;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
