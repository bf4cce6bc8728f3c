// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <memory>
#include <utility>

namespace cubind::detail {

/// What all copies of a Kernel share.
class KernelState {
public:
    KernelState(driver::CUkernel handle, std::shared_ptr<const void> code) noexcept : handle_(handle), code_(std::move(code)) {}

    driver::CUkernel handle() const noexcept { return handle_; }

private:
    driver::CUkernel handle_;
    std::shared_ptr<const void> code_;  // stays loaded as long as this
};

}  // namespace cubind::detail
