// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/kernel.hpp>

#include <cubind/core/device.hpp>
#include <cubind/core/kernel_attributes.hpp>
#include <cubind/core/owner.hpp>
#include <cubind/driver/library.hpp>

#include <optional>

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

namespace {

/// How many parameters a kernel has, where the driver tells: since CUDA 13.2. Before that they end with the first that is refused.
std::optional<std::size_t> parameter_count(driver::CUkernel kernel) {
    const auto count = driver::cuKernelGetParamCount(kernel);
    if (count.status == driver::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND) return {};
    return check(count);
}

}  // namespace

std::vector<KernelParameter> Kernel::parameters() const {
    const driver::CUkernel kernel = native_handle();
    const ScopedContext scope(Device().context());
    const std::optional<std::size_t> count = parameter_count(kernel);
    std::vector<KernelParameter> parameters;
    while (!count || parameters.size() < *count) {
        const auto info = driver::cuKernelGetParamInfo(kernel, parameters.size());
        if (!count && info.status == driver::CUDA_ERROR_INVALID_VALUE) break;
        const auto [offset, size] = check(info);
        parameters.push_back({offset, size});
    }
    return parameters;
}

}  // namespace cubind
