// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <memory>
#include <string>
#include <utility>

#include "launch/kernel_parameters.hpp"
#include "launch/shared_memory.hpp"

namespace cubind::detail {

/// What all copies of a Kernel share.
class KernelState {
public:
    /// `symbol`: its name in the code, where that is known.
    KernelState(driver::CUkernel handle, std::shared_ptr<const void> code, std::string symbol = {}) noexcept
        : handle_(handle), code_(std::move(code)), symbol_(std::move(symbol)) {}

    driver::CUkernel handle() const noexcept { return handle_; }
    const std::string& symbol() const noexcept { return symbol_; }

    /// For launches with dynamic shared memory.
    SharedMemoryAllowance& shared_memory() noexcept { return shared_memory_; }
    /// For launches whose arguments are compared.
    KernelParameters& parameters() noexcept { return parameters_; }

private:
    driver::CUkernel handle_;
    std::shared_ptr<const void> code_;  // stays loaded as long as this
    std::string symbol_;
    SharedMemoryAllowance shared_memory_;
    KernelParameters parameters_;
};

}  // namespace cubind::detail
