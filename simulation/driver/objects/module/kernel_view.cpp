// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/kernel_view.hpp"

#include <algorithm>

#include "objects/device/attributes.hpp"
#include "objects/module/occupancy.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// The threads of a block share the registers of a multiprocessor. How many registers PTX needs is not known.
int max_threads(const KernelView& view) {
    int device_limit = device_attribute(view.device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    if (view.kernel.registers != 0) {
        constexpr int warp_size = 32;
        device_limit =
            std::min(device_limit, warps_with_registers(view.device, static_cast<int>(view.kernel.registers)) * warp_size);
    }
    const std::size_t kernel_limit = view.kernel.max_threads();
    const bool is_limited = kernel_limit != 0 && !view.kernel.is_block_required;
    return is_limited ? static_cast<int>(std::min(kernel_limit, static_cast<std::size_t>(device_limit))) : device_limit;
}

int clamp_bytes(std::size_t bytes) {
    return static_cast<int>(std::min<std::size_t>(bytes, 0x7fffffff));
}

// A kernel may use any constant of its module.
int constant_bytes(const ptx::ModuleInterface& image) {
    std::size_t bytes = 0;
    for (const ptx::Variable& variable : image.variables) {
        if (variable.space == ptx::Space::constant) bytes += std::min<std::size_t>(variable.size, 1 << 30);
    }
    return clamp_bytes(bytes);
}

int cluster_extent(const KernelView& view, CUfunction_attribute attribute) {
    const Extent3& cluster = view.kernel.cluster;
    return static_cast<int>(attribute == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH    ? cluster.x
                            : attribute == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT ? cluster.y
                                                                                     : cluster.z);
}

int remaining_shared_bytes(const KernelView& view, CUdevice_attribute limit) {
    return std::max(0, device_attribute(view.device, limit) - clamp_bytes(view.kernel.shared_bytes));
}

// A kernel whose static shared memory exceeds the default limit of a block uses the opt-in limit.
CUdevice_attribute default_shared_limit(const KernelView& view) {
    const int default_limit = device_attribute(view.device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    return clamp_bytes(view.kernel.shared_bytes) > default_limit ? CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
                                                                 : CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK;
}

}  // namespace

int KernelView::get(CUfunction_attribute attribute) const {
    std::optional<int> chosen = settings.get(attribute);
    if (!chosen && general != nullptr) chosen = general->get(attribute);
    if (chosen) return *chosen;
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
            return max_threads(*this);
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
            return clamp_bytes(kernel.shared_bytes);
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
            return constant_bytes(image);
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
            return clamp_bytes(kernel.local_bytes);
        case CU_FUNC_ATTRIBUTE_NUM_REGS:
            if (kernel.registers != 0) return static_cast<int>(kernel.registers);
            return kernel.max_registers == 0 ? assumed_registers
                                             : std::min(assumed_registers, static_cast<int>(kernel.max_registers));
        case CU_FUNC_ATTRIBUTE_PTX_VERSION:
            return image.target;
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
            return image.is_machine_code() ? image.machine_target : 10 * device.major + device.minor;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
            return remaining_shared_bytes(*this, default_shared_limit(*this));
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return -1;
        case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
            return kernel.must_have_cluster ? 1 : 0;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
            return cluster_extent(*this, attribute);
        default:
            return 0;
    }
}

CUresult KernelView::set(CUfunction_attribute attribute, int value) const {
    bool is_valid = false;
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
            is_valid =
                value >= 0 && value <= remaining_shared_bytes(*this, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
            break;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            is_valid = value >= -1 && value <= 100;
            break;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
            is_valid = value >= 0 && kernel.cluster.x == 0;  // a cluster size in the code cannot be changed
            break;
        case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
            is_valid = true;
            break;
        case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
            is_valid = value >= 0 && value <= 2;
            break;
        default:
            break;
    }
    if (!is_valid) return CUDA_ERROR_INVALID_VALUE;
    settings.set(attribute, value);
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
