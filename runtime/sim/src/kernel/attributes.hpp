// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.hpp"
#include "kernel/settings.hpp"
#include "ptx/image.hpp"

namespace cubind::sim {

/// A kernel on a device, with what a program has set of it.
struct KernelView {
    const ptx::Image& image;
    const ptx::Kernel& kernel;
    const Device& device;
    KernelSettings& settings;
    const KernelSettings* general = nullptr;  ///< that count where `settings` has nothing; may be null

    /// Value of an attribute, which must be one.
    int get(CUfunction_attribute attribute) const;
    CUresult set(CUfunction_attribute attribute, int value) const;
};

/// Registers of each thread that a kernel is taken to need, where its PTX sets no lower limit: as many as a full multiprocessor of
/// today has for each.
constexpr int assumed_registers = 32;

/// Whether the driver of a release knows an attribute.
constexpr bool is_function_attribute(CUfunction_attribute attribute, int release) noexcept {
    if (attribute == CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED) return release >= 13030;
    if (attribute == CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE) return release >= 13040;
    return attribute < CU_FUNC_ATTRIBUTE_MAX;
}

}  // namespace cubind::sim
