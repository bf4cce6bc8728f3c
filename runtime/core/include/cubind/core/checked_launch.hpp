// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch.hpp>

namespace cubind {

namespace detail {

void check_reach(StreamRef stream, unsigned int position, const Buffer& buffer);

template <class Argument>
void check_if_buffer([[maybe_unused]] StreamRef stream, [[maybe_unused]] unsigned int position, [[maybe_unused]] const Argument& argument) {
    if constexpr (std::is_same_v<Argument, Buffer>) {
        check_reach(stream, position, argument);
    } else if constexpr (requires { { argument.bytes() } -> std::same_as<const Buffer&>; }) {
        check_reach(stream, position, argument.bytes());  // a TypedBuffer
    }
}

}  // namespace detail

/// Like launch(), but first compares the number and the sizes of the arguments with the loaded kernel's parameters, and looks whether the
/// stream's device can reach the Buffers (cuPointerGetAttributes); std::invalid_argument names the first argument that is wrong. The
/// parameters are asked for once for each kernel (cuKernelGetParamInfo), which makes the first launch slower. Throws Error where the
/// driver is older than CUDA 12.4, which cannot tell.
template <class... Arguments>
void checked_launch(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) {
    detail::keep_if_captured(stream, arguments...);
    [[maybe_unused]] unsigned int position = 0;
    (detail::check_if_buffer(stream, ++position, arguments), ...);
    detail::launch_values<detail::launch_checked>(stream, config, kernel, detail::KernelArgument<Arguments>::pass(arguments)...);
}

}  // namespace cubind
