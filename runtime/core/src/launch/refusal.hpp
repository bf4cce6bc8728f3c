// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch_config.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/result.hpp>

namespace cubind::detail {

/// Throws what a launch failed with; where the launch itself is to blame, with what is wrong with it: value, limit and what to do.
[[noreturn, gnu::cold]] void throw_refused(Result<driver::CUresult> launched, StreamRef stream, const LaunchConfig& config,
                                           driver::CUkernel kernel);

}  // namespace cubind::detail
