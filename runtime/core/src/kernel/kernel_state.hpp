// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <memory>
#include <utility>

#include "launch/kernel_parameters.hpp"
#include "launch/shared_memory.hpp"

namespace cubind::detail {

/// What all copies of a Kernel share.
class KernelState {
public:
    KernelState(driver::CUkernel handle, std::shared_ptr<const void> code) noexcept : handle_(handle), code_(std::move(code)) {}

    driver::CUkernel handle() const noexcept { return handle_; }

    /// For launches with dynamic shared memory.
    SharedMemoryAllowance& shared_memory() noexcept { return shared_memory_; }
    /// For launches whose arguments are compared.
    KernelParameters& parameters() noexcept { return parameters_; }

private:
    driver::CUkernel handle_;
    std::shared_ptr<const void> code_;  // stays loaded as long as this
    SharedMemoryAllowance shared_memory_;
    KernelParameters parameters_;
};

}  // namespace cubind::detail
