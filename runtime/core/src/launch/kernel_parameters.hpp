// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/kernel.hpp>
#include <cubind/driver/types.hpp>

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

namespace cubind::detail {

/// The parameters of a loaded kernel, asked for once. Any thread may use it.
class KernelParameters {
public:
    KernelParameters() = default;
    KernelParameters(const KernelParameters&) = delete;
    KernelParameters& operator=(const KernelParameters&) = delete;
    ~KernelParameters() { delete all_.load(); }

    /// Null where the driver is too old to tell. The context is made current where the driver has to be asked.
    const std::vector<KernelParameter>* get(driver::CUkernel kernel, ContextRef context);

    /// The same where they are known already.
    const std::vector<KernelParameter>* known() const noexcept { return all_.load(std::memory_order_acquire); }

private:
    std::atomic<const std::vector<KernelParameter>*> all_{nullptr};
};

/// The name of the kernel in quotes, for messages: `"saxpy"`.
std::string quoted_name(driver::CUkernel kernel);

/// What is wrong with arguments of these sizes (sizes_of) for such parameters; empty where nothing is. Arguments count from 1.
std::string mistake_in(const unsigned int* given, const std::vector<KernelParameter>& parameters, driver::CUkernel kernel);

}  // namespace cubind::detail
