// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/kernel_argument.hpp>
#include <cubind/core/detail/stream_access.hpp>
#include <cubind/core/kernel.hpp>
#include <cubind/core/launch_config.hpp>
#include <cubind/core/stream.hpp>

#include <memory>

namespace cubind {

namespace detail {

/// Where arguments lie, with an end that is null, and how large they are (sizes_of).
struct ArgumentList {
    const void* const* addresses;
    const unsigned int* sizes;
};

/// Looks at the sizes only for a validation layer.
void launch(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments);

/// Looks at them, and throws std::invalid_argument where they are not those of the kernel.
void launch_checked(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments);

using Launcher = void (*)(StreamRef, const LaunchConfig&, const Kernel&, ArgumentList);

template <Launcher launcher, class... Values>
[[gnu::always_inline]] inline void launch_values(StreamRef stream, const LaunchConfig& config, const Kernel& kernel,
                                                 const Values&... values) {
    const void* const addresses[] = {std::addressof(values)..., nullptr};
    launcher(stream, config, kernel, {addresses, sizes_of<Values...>});
}

template <class... Arguments>
[[gnu::always_inline]] inline void keep_if_captured([[maybe_unused]] StreamRef stream, const Arguments&... arguments) {
    if constexpr ((CanBeShared<Arguments> || ...)) {
        if (Retainer* const retainer = StreamAccess::retainer(stream)) [[unlikely]] keep_all(*retainer, arguments...);
    }
}

}  // namespace detail

/// Has a kernel run on the stream's device, after the work that the stream was given before (cuLaunchKernelEx). Arguments are copied before
/// it returns and go by their own types, which must be the kernel's: an `int` for an `int`, a `std::size_t` for a `size_t`, a struct for the
/// same struct, a Buffer, a std::span or a pointer for a pointer. Nothing compares them with the kernel: checked_launch and KernelFunction
/// do, and a validation layer that is on.
///
///     launch(stream, {.grid = blocks, .block = 256}, saxpy, 2.0f, x, y, n);
///
/// It allocates nothing and leaves the current context alone; a default stream means the calling thread's current context. While a
/// GraphBuilder captures, the graph keeps the kernel and the buffers. Throws std::invalid_argument for a stream or kernel that was moved
/// from, and Error where the driver refuses the launch: with the value that is too large, and the limit.
template <class... Arguments>
void launch(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) {
    detail::keep_if_captured(stream, arguments...);
    detail::launch_values<detail::launch>(stream, config, kernel, detail::KernelArgument<Arguments>::pass(arguments)...);
}

}  // namespace cubind
