// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch.hpp>

namespace cubind {

/// Like launch(), but first compares the number and the sizes of the arguments with the loaded kernel's parameters; std::invalid_argument
/// names the first that differs. The parameters are asked for once for each kernel (cuKernelGetParamInfo), which makes the first
/// launch slower. Throws Error where the driver is older than CUDA 12.4, which cannot tell.
template <class... Arguments>
void checked_launch(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) {
    detail::keep_if_captured(stream, arguments...);
    detail::launch_values<detail::launch_checked>(stream, config, kernel, detail::KernelArgument<Arguments>::pass(arguments)...);
}

}  // namespace cubind
