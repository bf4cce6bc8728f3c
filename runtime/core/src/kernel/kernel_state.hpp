// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <memory>
#include <string>
#include <utility>

namespace cubind::detail {

/// What all copies of a Kernel share.
class KernelState {
public:
    /// `symbol`: its name in the code, where that is known.
    KernelState(driver::CUkernel handle, std::shared_ptr<const void> code, std::string symbol = {}) noexcept
        : handle_(handle), code_(std::move(code)), symbol_(std::move(symbol)) {}

    driver::CUkernel handle() const noexcept { return handle_; }
    const std::string& symbol() const noexcept { return symbol_; }

private:
    driver::CUkernel handle_;
    std::shared_ptr<const void> code_;  // stays loaded as long as this
    std::string symbol_;
};

}  // namespace cubind::detail
