// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/checked_launch.hpp>
#include <cubind/core/kernel_function.hpp>
#include <cubind/core/launch.hpp>

#include <cubind/core/buffer.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/pointer_attributes.hpp>
#include <cubind/detail/validator.hpp>
#include <cubind/driver/execution.hpp>
#include <cubind/driver/library.hpp>

#include "kernel/kernel_state.hpp"
#include "launch/native_launch.hpp"
#include "launch/refusal.hpp"
#include "memory/refusals.hpp"
#include "stream/stream_context.hpp"
#include "support/driver.hpp"

namespace cubind::detail {
namespace {

// An older driver cannot tell what the kernel takes: says so.
[[noreturn]] void throw_cannot_compare(driver::CUkernel kernel) {
    try {
        check(driver::cuKernelGetParamInfo(kernel, 0));
    } catch (const Error& failure) {
        throw Error(failure, "Arguments cannot be compared with the kernel's parameters on this driver: use launch(), which does not.");
    }
    throw_misuse("the driver does not tell the kernel's parameters");
}

// The mistake, for a layer that wants to know of it; what cannot be found out is none.
std::string mistake_for_validator(StreamRef stream, KernelState& kernel, ArgumentList arguments) {
    try {
        const auto* const parameters = kernel.parameters().get(kernel.handle(), stream.context());
        return parameters == nullptr ? std::string() : mistake_in(arguments.sizes, *parameters, kernel.handle());
    } catch (const Error&) {
        return {};  // the launch will say it
    }
}

[[gnu::cold, gnu::noinline]] void validate(Validator validator, StreamRef stream, KernelState& kernel, ArgumentList arguments) {
    const std::string mistake = mistake_for_validator(stream, kernel, arguments);
    if (mistake.empty()) return;
    const bool may_go_on = validator("driver", "cuLaunchKernelEx", "kernelParams", mistake.c_str());
    if (!may_go_on) throw_misuse(mistake);
}

KernelState& state_of(const Kernel& kernel) {
    KernelState& state = *kernel.state();
    if (state.handle() == nullptr) [[unlikely]] throw_misuse("a Kernel of a null handle cannot be launched");
    return state;
}

}  // namespace

void launch_bound(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments) {
    KernelState& state = state_of(kernel);
    const driver::CUstream handle = stream.native_handle();
    if (!state.shared_memory().covers(config.shared_memory_size)) [[unlikely]] {
        state.shared_memory().prepare(stream, state.handle(), config.shared_memory_size);
    }
    if (Retainer* const retainer = StreamAccess::retainer(stream)) [[unlikely]] retainer->retain(kernel.state());
    const NativeLaunch native(config, handle);
    // The driver takes a CUkernel in a CUfunction's place, and reads addresses and arguments only.
    const auto launched = driver::cuLaunchKernelEx(&native.config(), reinterpret_cast<driver::CUfunction>(state.handle()),
                                                   const_cast<void**>(arguments.addresses), nullptr);
    if (!launched.ok()) [[unlikely]] throw_refused(launched, stream, config, state.handle());
    native.write_back(config);
}

void launch(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments) {
    if (const Validator told = validator()) [[unlikely]] {
        (void)stream.native_handle();
        validate(told, stream, state_of(kernel), arguments);
    }
    launch_bound(stream, config, kernel, arguments);
}

void launch_checked(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments) {
    KernelState& state = state_of(kernel);
    const auto* parameters = state.parameters().known();
    if (parameters == nullptr) parameters = state.parameters().get(state.handle(), stream.context());
    if (parameters == nullptr) throw_cannot_compare(state.handle());
    const std::string mistake = mistake_in(arguments.sizes, *parameters, state.handle());
    if (!mistake.empty()) throw_misuse(mistake);
    launch_bound(stream, config, kernel, arguments);
}

void check_reach(StreamRef stream, unsigned int position, const Buffer& buffer) {
    const auto lies_on = buffer.device();
    if (!lies_on || lies_on == stream.device()) return;
    const StreamScope scope(stream);
    if (PointerAttributes::of(buffer.native_handle()).device_pointer != 0) return;
    throw_misuse(describe(concat("a kernel cannot be launched with argument ", position), memory_view_of(buffer), stream));
}

void check_signature(const Kernel& kernel, const unsigned int* sizes) {
    KernelState& state = state_of(kernel);
    const ContextRef current = ContextRef::current();
    const auto* const parameters = state.parameters().get(state.handle(), current ? current : Device().context());
    if (parameters == nullptr) return;
    const std::string mistake = mistake_in(sizes, *parameters, state.handle());
    if (!mistake.empty()) throw_misuse("the signature of this KernelFunction is not the kernel's: ", mistake);
}

}  // namespace cubind::detail
