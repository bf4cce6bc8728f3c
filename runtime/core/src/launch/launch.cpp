// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/detail/validator.hpp>
#include <cubind/driver/execution.hpp>
#include <cubind/driver/stream.hpp>

#include <algorithm>

#include "calls/driver.hpp"
#include "launch/argument_comparison.hpp"
#include "launch/kernel_state.hpp"
#include "launch/launch_diagnostics.hpp"
#include "launch/native_launch.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

void submit(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, KernelState& state, ArgumentList arguments) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    if (!state.dynamic_shared_memory().covers(config.shared_memory_size)) [[unlikely]] {
        state.dynamic_shared_memory().prepare(stream, state.handle(), config.shared_memory_size);
    }
    if (Retainer* const retainer = StreamAccess::retainer(stream)) [[unlikely]]
        retainer->retain(KernelAccess::state(kernel));
    const NativeLaunch native(config, handle);
    // The driver accepts a CUkernel in place of a CUfunction, and only reads the addresses and the arguments.
    const auto launched = driver::cuLaunchKernelEx(&native.config(), reinterpret_cast<driver::CUfunction>(state.handle()),
                                                   const_cast<void**>(arguments.addresses), nullptr);
    if (!launched.ok()) [[unlikely]]
        throw_launch_failure(launched, stream, config, state);
    native.write_back(config);
}

ContextRef context_of(StreamRef stream) {
    const auto context = driver::cuStreamGetCtx(StreamAccess::handle(stream));
    if (!context.ok()) throw_with_advice({context.status}, advice_on_context(context.status, stream));
    return context.value;
}

// Returns the parameters that are needed to compare `count` arguments. Reads them in the stream's context if they are not cached.
const ParameterList& parameters_for(StreamRef stream, KernelState& state, std::size_t count) {
    count = std::max(count, state.signature().parameters.size());
    if (const ParameterList* const cached = state.parameters().cached(count)) return *cached;
    const ScopedContext scope(context_of(stream));
    return state.parameters().read(state.handle(), count);
}

[[gnu::cold, gnu::noinline]] void compare(StreamRef stream, KernelState& state, const unsigned int* types) {
    const std::string mistake = argument_mistake(types, parameters_for(stream, state, types[0]), state);
    if (!mistake.empty()) throw_misuse(mistake);
    state.parameters().accept(types);
}

// Reports a mistake to the validation layer, which decides whether the launch is submitted. If the parameters cannot be read, the
// launch itself reports the failure.
[[gnu::cold, gnu::noinline]] void validate(Validator validator, StreamRef stream, KernelState& state, const unsigned int* types) {
    std::string mistake;
    try {
        mistake = argument_mistake(types, parameters_for(stream, state, types[0]), state);
    } catch (const Error&) {
        return;
    }
    if (mistake.empty() || validator("driver", "cuLaunchKernelEx", "kernelParams", mistake.c_str())) return;
    throw_misuse(mistake);
}

}  // namespace

KernelState& launchable(const Kernel& kernel) {
    KernelState& state = *KernelAccess::state(kernel);
    if (state.handle() == nullptr) [[unlikely]]
        throw_misuse("this Kernel is a view of a null handle, which cannot be launched");
    return state;
}

void compare_arguments(ContextRef context, KernelState& state, const unsigned int* types) {
    if (state.parameters().accepts(types)) return;
    const ScopedContext scope(context);
    const std::size_t count = std::max<std::size_t>(types[0], state.signature().parameters.size());
    const std::string mistake = argument_mistake(types, state.parameters().read(state.handle(), count), state);
    if (!mistake.empty()) throw_misuse(mistake);
    state.parameters().accept(types);
}

void launch_compared(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments) {
    submit(stream, config, kernel, launchable(kernel), arguments);
}

void launch_checked(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments) {
    KernelState& state = launchable(kernel);
    if (!state.parameters().accepts(arguments.types)) [[unlikely]]
        compare(stream, state, arguments.types);
    submit(stream, config, kernel, state, arguments);
}

void launch_unchecked(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments) {
    KernelState& state = launchable(kernel);
    if (const Validator active = validator()) [[unlikely]]
        validate(active, stream, state, arguments.types);
    submit(stream, config, kernel, state, arguments);
}

void launch_validated(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments) {
    KernelState& state = launchable(kernel);
    const ParameterList& parameters = parameters_for(stream, state, arguments.types[0]);
    if (parameters.read == ParametersRead::none) throw_parameters_unavailable(state.handle());
    const std::string mistake = argument_mistake(arguments.types, parameters, state);
    if (!mistake.empty()) throw_misuse(mistake);
    submit(stream, config, kernel, state, arguments);
}

void check_access(StreamRef stream, unsigned int position, const Buffer& buffer) {
    const auto location = buffer.device();
    if (!location || location == stream.device()) return;
    const StreamScope scope(stream);
    if (PointerAttributes::of(buffer.native_handle()).device_pointer != 0) return;
    throw_inaccessible(stream, position, buffer);
}

void check_signature(const Kernel& kernel, const unsigned int* types, const Device& device) {
    KernelState& state = launchable(kernel);
    const std::size_t count = std::max<std::size_t>(types[0], state.signature().parameters.size());
    const ParameterList* parameters = state.parameters().cached(count);
    if (parameters == nullptr) {
        const ScopedContext scope(device.context());
        parameters = &state.parameters().read(state.handle(), count);
    }
    throw_if_signature_differs(types, *parameters, state);
}

void check_signature(const Kernel& kernel, const unsigned int* types, StreamRef stream) {
    KernelState& state = launchable(kernel);
    throw_if_signature_differs(types, parameters_for(stream, state, types[0]), state);
}

}  // namespace CUBIND_NAMESPACE::detail
