// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/kernel.hpp>

#include <cubind/core/owner.hpp>

#include "kernel/kernel_state.hpp"

namespace cubind {

Kernel Kernel::from_native_handle(Handle handle, std::shared_ptr<const void> code) {
    return Kernel(std::make_shared<detail::KernelState>(handle, std::move(code)));
}

Kernel::Handle Kernel::native_handle() const {
    return state()->handle();
}

const std::shared_ptr<detail::KernelState>& Kernel::state() const {
    if (!state_) detail::throw_moved_from("Kernel");
    return state_;
}

}  // namespace cubind
