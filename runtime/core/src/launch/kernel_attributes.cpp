// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/kernel_attributes.hpp>
#include <cubind/driver/library.hpp>
#include <cubind/driver/strings.hpp>

#include <limits>

#include "calls/driver.hpp"
#include "device/device_table.hpp"

namespace CUBIND_NAMESPACE {
namespace {

std::size_t bytes(int value) {
    return static_cast<std::size_t>(value);
}

// Returns the allowed values of an attribute; the driver only reports that a value is invalid.
std::string allowed_values(const KernelAttributes& attributes, driver::CUfunction_attribute which) {
    switch (which) {
        case driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: {
            detail::DeviceEntry& device = detail::DeviceTable::get().at(attributes.device().ordinal());
            const int block_limit = device.attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
            const int static_size = attributes.get(driver::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
            return detail::concat("at most ", block_limit - static_size, " bytes: a block of this device has at most ",
                                  block_limit, ", and the kernel uses ", static_size, " of them as static shared memory");
        }
        case driver::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return "0 to 100 percent, or -1 to let the driver choose";
        case driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        case driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        case driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
            return "0 or more blocks, on devices with clusters (9.0 and newer), for a kernel whose code declares no cluster";
        case driver::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
            return "true or false, on devices with clusters (9.0 and newer)";
        case driver::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
            return "an enumerator of CUclusterSchedulingPolicy that the driver and the device support";
        default:
            return "none: this attribute is read-only";
    }
}

[[noreturn]] void throw_refused(const KernelAttributes& attributes, const Kernel& kernel, driver::CUfunction_attribute which,
                                const std::string& value) {
    detail::throw_misuse(driver::to_string(which), " of kernel \"", kernel.name(), "\" cannot be ", value, " on device ",
                         attributes.device().ordinal(), "; allowed: ", allowed_values(attributes, which));
}

}  // namespace

int KernelAttributes::get(driver::CUfunction_attribute which) const {
    return check(driver::cuKernelGetAttribute(which, kernel_.native_handle(), device_.native_handle()));
}

void KernelAttributes::set(driver::CUfunction_attribute which, int value) const {
    const auto result = driver::cuKernelSetAttribute(which, value, kernel_.native_handle(), device_.native_handle());
    if (result.status == driver::CUDA_ERROR_INVALID_VALUE) {
        throw_refused(*this, kernel_, which, std::to_string(value));
    }
    detail::check_latest(result);
}

int KernelAttributes::max_threads_per_block() const {
    return get(driver::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
}
std::size_t KernelAttributes::shared_size_bytes() const {
    return bytes(get(driver::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
}
std::size_t KernelAttributes::const_size_bytes() const {
    return bytes(get(driver::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES));
}
std::size_t KernelAttributes::local_size_bytes() const {
    return bytes(get(driver::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
}
int KernelAttributes::num_regs() const {
    return get(driver::CU_FUNC_ATTRIBUTE_NUM_REGS);
}
int KernelAttributes::ptx_version() const {
    return get(driver::CU_FUNC_ATTRIBUTE_PTX_VERSION);
}
int KernelAttributes::binary_version() const {
    return get(driver::CU_FUNC_ATTRIBUTE_BINARY_VERSION);
}
bool KernelAttributes::cache_mode_ca() const {
    return get(driver::CU_FUNC_ATTRIBUTE_CACHE_MODE_CA) != 0;
}

std::size_t KernelAttributes::max_dynamic_shared_size_bytes() const {
    return bytes(get(driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
}

int KernelAttributes::preferred_shared_memory_carveout() const {
    return get(driver::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
}

bool KernelAttributes::cluster_size_must_be_set() const {
    return get(driver::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET) != 0;
}
int KernelAttributes::required_cluster_width() const {
    return get(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
}
int KernelAttributes::required_cluster_height() const {
    return get(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
}
int KernelAttributes::required_cluster_depth() const {
    return get(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
}

bool KernelAttributes::non_portable_cluster_size_allowed() const {
    return get(driver::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) != 0;
}

driver::CUclusterSchedulingPolicy KernelAttributes::cluster_scheduling_policy_preference() const {
    return static_cast<driver::CUclusterSchedulingPolicy>(get(driver::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE));
}

void KernelAttributes::set_max_dynamic_shared_size_bytes(std::size_t size) const {
    const driver::CUfunction_attribute which = driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw_refused(*this, kernel_, which, std::to_string(size));
    }
    set(which, static_cast<int>(size));
}

void KernelAttributes::set_preferred_shared_memory_carveout(int percent) const {
    set(driver::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, percent);
}

void KernelAttributes::set_required_cluster_width(int blocks) const {
    set(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, blocks);
}
void KernelAttributes::set_required_cluster_height(int blocks) const {
    set(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, blocks);
}
void KernelAttributes::set_required_cluster_depth(int blocks) const {
    set(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, blocks);
}

void KernelAttributes::set_non_portable_cluster_size_allowed(bool allowed) const {
    set(driver::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, allowed ? 1 : 0);
}

void KernelAttributes::set_cluster_scheduling_policy_preference(driver::CUclusterSchedulingPolicy policy) const {
    set(driver::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, static_cast<int>(policy));
}

}  // namespace CUBIND_NAMESPACE
