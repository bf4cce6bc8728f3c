// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/launch/kernel_attributes.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/driver/library.hpp>
#include <cubind/driver/loading.hpp>

#include "calls/driver.hpp"
#include "launch/disassembly.hpp"
#include "launch/kernel_state.hpp"

namespace CUBIND_NAMESPACE {

const detail::Signature& detail::KernelState::signature() const {
    std::call_once(has_signature_, [this] { signature_ = signature_of(symbol_, ptx()); });
    return signature_;
}

Kernel Kernel::view_of(Handle handle, std::shared_ptr<const void> owner) {
    return Kernel(std::make_shared<detail::KernelState>(handle, std::move(owner)));
}

Kernel::Handle Kernel::native_handle() const {
    return state()->handle();
}

Kernel::Handle Kernel::handle_or_null() const noexcept {
    return state_ == nullptr ? nullptr : state_->handle();
}

const std::shared_ptr<detail::KernelState>& Kernel::state() const {
    if (!state_) detail::throw_moved_from("Kernel");
    return state_;
}

std::string Kernel::name() const {
    if (!state()->symbol().empty()) return state()->symbol();
    return check(driver::cuKernelGetName(native_handle()));
}

std::string Kernel::signature() const {
    const detail::Signature signature = detail::signature_of(name(), state()->ptx());
    if (signature.is_known) return signature.to_string();
    std::string text = signature.name + "(";
    if (!driver::has(driver::cuKernelGetParamCount)) return text.append("...)");
    for (const KernelParameter& each : parameters()) {
        text.append(text.back() == '(' ? "" : ", ").append(std::to_string(each.size)).append(" bytes");
    }
    return text.append(")");
}

std::string_view Kernel::ptx() const {
    const std::string_view text = state()->ptx();
    if (text.empty()) {
        detail::throw_misuse("Kernel::ptx(): the code of kernel \"", name(),
                             "\" was not loaded from PTX: compile the program to CodeType::ptx");
    }
    return text;
}

std::string Kernel::sass() const {
    return detail::kernel_in(detail::disassemble("Kernel::sass()", state()->image()), name());
}

KernelAttributes Kernel::attributes(Device device) const {
    return KernelAttributes(*this, device);
}

KernelAttributes Kernel::attributes() const {
    return attributes(Device());
}

std::vector<KernelParameter> Kernel::parameters(Device device) const {
    detail::KernelParameters& parameters = state()->parameters();
    const auto* list = parameters.cached(0);
    if (list == nullptr) {
        const ScopedContext scope(device.context());
        list = &parameters.read(native_handle(), 0);
    }
    // The driver lacks the function that is called here, so check() throws the Error for a missing function.
    if (list->read == detail::ParametersRead::none) check(driver::cuKernelGetParamInfo(native_handle(), 0));
    if (list->read == detail::ParametersRead::beginning) check(driver::cuKernelGetParamCount(native_handle()));
    return list->parameters;
}

std::vector<KernelParameter> Kernel::parameters() const {
    return parameters(Device());
}

}  // namespace CUBIND_NAMESPACE
