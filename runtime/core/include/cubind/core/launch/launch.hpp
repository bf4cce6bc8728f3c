// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/detail/kernel_argument.hpp>
#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/launch/launch_config.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/stream/stream.hpp>

#include <memory>

namespace CUBIND_NAMESPACE {

namespace detail {

/// The arguments of a launch: their addresses, followed by nullptr, and their number and types (see types_of).
struct ArgumentList {
    const void* const* addresses;
    const unsigned int* types;
};

using Launcher = void (*)(StreamRef, const LaunchConfig&, const Kernel&, ArgumentList);

/// Launches with arguments that were compared with the kernel before.
CUBIND_EXPORT void launch_compared(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments);
/// Compares the arguments as far as the driver reports the parameters, and launches.
CUBIND_EXPORT void launch_checked(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments);
/// Launches without a comparison, unless a validation layer is active.
CUBIND_EXPORT void launch_unchecked(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments);
/// Compares the arguments with all parameters, and launches. Throws Error if the driver cannot report them.
CUBIND_EXPORT void launch_validated(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments);

/// Throws std::invalid_argument if the stream's device cannot access the buffer. `position` is the position of the argument,
/// starting at 1.
CUBIND_EXPORT void check_access(StreamRef stream, unsigned int position, const Buffer& buffer);

template <Launcher launcher, class... Values>
[[gnu::always_inline]] inline void launch_values(StreamRef stream, const LaunchConfig& config, const Kernel& kernel,
                                                 const Values&... values) {
    const void* const addresses[] = {std::addressof(values)..., nullptr};
    launcher(stream, config, kernel, {addresses, types_of<Values...>.numbers});
}

template <class... Arguments>
[[gnu::always_inline]] inline void retain_if_captured([[maybe_unused]] StreamRef stream, const Arguments&... arguments) {
    if constexpr ((CanBeShared<Arguments> || ...)) {
        if (Retainer* const retainer = StreamAccess::retainer(stream)) [[unlikely]]
            retain_all(*retainer, arguments...);
    }
}

template <class Argument>
void check_access_of([[maybe_unused]] StreamRef stream, [[maybe_unused]] unsigned int position,
                     [[maybe_unused]] const Argument& argument) {
    if constexpr (std::is_same_v<Argument, Buffer>) {
        check_access(stream, position, argument);
    } else if constexpr (HoldsBuffer<Argument>) {
        check_access(stream, position, argument.bytes());
    }
}

}  // namespace detail

/// Launches a kernel on the stream's device, after all work that was submitted to the stream earlier (cuLaunchKernelEx).
/// Arguments are copied before the function returns. An argument is passed with its own type, which must be the parameter's
/// type: an `int` for an `int`, a `std::size_t` for a `size_t`, a struct for the same struct, a Buffer, a std::span or a
/// pointer for a pointer.
///
///     launch(stream, {.grid = blocks_for(n, 256), .block = 256}, saxpy, 2.0f, x, y, n);
///
/// Compares the number, the sizes and the types of the arguments with the kernel's parameters. Throws std::invalid_argument,
/// which names the first argument that differs and the signature of the kernel. A launch with the types of an earlier launch of
/// the same kernel only compares numbers. launch() compares:
///
/// - sizes, which the driver reports (cuKernelGetParamInfo). Drivers before CUDA 12.4 report none. launch() then compares
///   nothing. Drivers before CUDA 13.2 do not report the number of parameters: arguments that are missing at the end are detected
///   if the code tells the number.
/// - types, which the mangled name of a C++ kernel or the PTX states; see Kernel::signature(). A floating-point
///   number is no integer, and a pointer to elements of one type is none to elements of another size or kind. A Buffer, a void*,
///   a pointer to bytes and to structs point to anything. Signed and unsigned integers are the same, and so are pointers and
///   integers of 8 bytes.
///
/// After the first launch of a kernel, a launch allocates nothing and makes no other driver call. The calling thread's current
/// context does not change; a default stream belongs to the current context. While a GraphBuilder captures the stream, its
/// graph retains the kernel and the buffers. Throws std::invalid_argument for a stream or kernel that was moved from. Throws
/// Error if the driver refuses the launch; the message states the value that is too large and the limit.
template <class... Arguments>
void launch(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) {
    detail::retain_if_captured(stream, arguments...);
    detail::launch_values<detail::launch_checked>(stream, config, kernel, detail::KernelArgument<Arguments>::pass(arguments)...);
}

/// Launches a kernel as launch() does, and does not compare the arguments with its parameters: a mismatch is undefined behavior
/// on the device. An active validation layer (layers::validate) compares them and reports a mismatch.
template <class... Arguments>
void launch_unchecked(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) {
    detail::retain_if_captured(stream, arguments...);
    detail::launch_values<detail::launch_unchecked>(stream, config, kernel,
                                                    detail::KernelArgument<Arguments>::pass(arguments)...);
}

/// Launches a kernel as launch() does, after one more check: throws std::invalid_argument, which names the first Buffer that
/// the stream's device cannot access (cuPointerGetAttributes). Throws Error if the driver is older than CUDA 12.4 and cannot
/// report parameters.
template <class... Arguments>
void launch_validated(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) {
    detail::retain_if_captured(stream, arguments...);
    [[maybe_unused]] unsigned int position = 0;
    (detail::check_access_of(stream, ++position, arguments), ...);
    detail::launch_values<detail::launch_validated>(stream, config, kernel,
                                                    detail::KernelArgument<Arguments>::pass(arguments)...);
}

}  // namespace CUBIND_NAMESPACE
