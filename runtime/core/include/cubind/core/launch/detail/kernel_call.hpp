// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/lifetime/detail/node_objects.hpp>

namespace CUBIND_NAMESPACE::detail {

/// The parameters of a kernel node. It exists only during a call.
struct KernelCall {
    const LaunchConfig& config;
    const Kernel& kernel;
    ArgumentList arguments;
    bool is_compared;  ///< whether the arguments were compared with the kernel's parameters
    NodeObjects& objects;
};

template <class Use, class... Values>
auto use_kernel_call(const Use& use, const LaunchConfig& config, const Kernel& kernel, bool is_compared, NodeObjects& objects,
                     const Values&... values) {
    const void* const addresses[] = {std::addressof(values)..., nullptr};
    return use(KernelCall{config, kernel, {addresses, types_of<Values...>.numbers}, is_compared, objects});
}

/// Returns use(call) for a launch of the kernel with these arguments, which are converted as launch() converts them.
template <class Use, class... Arguments>
auto with_kernel_call(const Use& use, const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) {
    NodeObjects objects;
    retain_all(objects, arguments...);
    return use_kernel_call(use, config, kernel, false, objects, KernelArgument<Arguments>::pass(arguments)...);
}

/// Returns use(call) for a launch of the function with these arguments.
template <class Use, class... Parameters>
auto with_function_call(const Use& use, const LaunchConfig& config, const KernelFunction<void(Parameters...)>& function,
                        const typename ParameterOf<Parameters>::Type&... arguments) {
    NodeObjects objects;
    (ParameterOf<Parameters>::retain(objects, arguments), ...);
    return use_kernel_call(use, config, function.kernel(), true, objects, ParameterOf<Parameters>::value(arguments)...);
}

}  // namespace CUBIND_NAMESPACE::detail
