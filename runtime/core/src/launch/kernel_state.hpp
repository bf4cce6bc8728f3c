// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/kernel.hpp>
#include <cubind/driver/types.hpp>

#include <memory>
#include <string>
#include <utility>

#include "launch/dynamic_shared_memory.hpp"
#include "launch/kernel_parameters.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The state that all copies of a Kernel share.
class KernelState {
public:
    /// Creates the state. It retains `code`. `symbol` is the kernel's name in the code, empty if it is not known.
    KernelState(driver::CUkernel handle, std::shared_ptr<const void> code, std::string symbol = {}) noexcept
        : handle_(handle), code_(std::move(code)), symbol_(std::move(symbol)) {}

    driver::CUkernel handle() const noexcept { return handle_; }
    const std::string& symbol() const noexcept { return symbol_; }

    DynamicSharedMemoryLimit& dynamic_shared_memory() noexcept { return dynamic_shared_memory_; }
    KernelParameters& parameters() noexcept { return parameters_; }

private:
    // Every launch reads the first three members.
    driver::CUkernel handle_;
    KernelParameters parameters_;
    DynamicSharedMemoryLimit dynamic_shared_memory_;
    std::shared_ptr<const void> code_;
    std::string symbol_;
};

/// Access to the state of a Kernel. Only cubind's own sources use it.
struct KernelAccess {
    /// Returns the state. Throws std::invalid_argument for a kernel that was moved from.
    static const std::shared_ptr<KernelState>& state(const Kernel& kernel) { return kernel.state(); }

    /// Returns a kernel with this state.
    static Kernel make(std::shared_ptr<KernelState> state) noexcept { return Kernel(std::move(state)); }
};

}  // namespace CUBIND_NAMESPACE::detail
