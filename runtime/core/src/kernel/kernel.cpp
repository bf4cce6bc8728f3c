// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/kernel.hpp>

#include <cubind/core/device.hpp>
#include <cubind/core/kernel_attributes.hpp>
#include <cubind/core/detail/owner.hpp>
#include <cubind/driver/library.hpp>

#include "kernel/kernel_state.hpp"
#include "support/driver.hpp"

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

std::string Kernel::name() const {
    if (!state()->symbol().empty()) return state()->symbol();
    return check(driver::cuKernelGetName(native_handle()));
}

KernelAttributes Kernel::attributes(Device device) const {
    return KernelAttributes(*this, device);
}

KernelAttributes Kernel::attributes() const {
    return attributes(Device());
}

std::vector<KernelParameter> Kernel::parameters() const {
    const auto* const all = state()->parameters().get(native_handle(), Device().context());
    if (all != nullptr) return *all;
    check(driver::cuKernelGetParamInfo(native_handle(), 0));  // says since when drivers tell
    return {};
}

}  // namespace cubind
