// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects/device/device.hpp"
#include "objects/module/kernel_settings.hpp"
#include "ptx/text/module_interface.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A kernel on a device, with the attributes that a program has set.
struct KernelView {
    const ptx::ModuleInterface& image;
    const ptx::Kernel& kernel;
    const Device& device;
    KernelSettings& settings;
    /// Settings of the library's kernel, used for attributes that `settings` lacks; may be null.
    const KernelSettings* general = nullptr;

    /// Returns the value of an attribute, which must be valid.
    int get(driver::CUfunction_attribute attribute) const;
    /// Sets an attribute. Returns CUDA_ERROR_INVALID_VALUE if it is read-only or the value is out of range.
    driver::CUresult set(driver::CUfunction_attribute attribute, int value) const;
};

/// Registers of each thread that a kernel is assumed to need, unless its PTX sets a lower limit. It is the number that
/// current multiprocessors have for each thread at full occupancy.
constexpr int assumed_registers = 32;

/// Checks whether the driver of a release has an attribute.
constexpr bool is_function_attribute(driver::CUfunction_attribute attribute, int release) noexcept {
    if (attribute == driver::CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED) return release >= 13030;
    if (attribute == driver::CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE) return release >= 13040;
    return attribute < driver::CU_FUNC_ATTRIBUTE_MAX;
}

}  // namespace CUBIND_NAMESPACE::sim
