// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <cubind/sim/kernel_body.hpp>

#include "kernel/function.hpp"

namespace cubind::sim {

struct FunctionCheck;

/// A launch that has been found to be possible, and owns all that it needs: it may be done later, more than once, on any thread.
struct LaunchRequest {
    std::shared_ptr<Function> function;
    std::shared_ptr<const detail::Body> body;  ///< null: the kernel does nothing
    std::vector<CUlaunchAttribute> attributes;
    Launch launch;
    bool is_cooperative = false;
};

/// Checks a launch and copies its arguments, by `parameters` or by `extra`, whichever is there. The stream is not looked at but noted.
CUresult make_launch(const FunctionCheck& function, const CUlaunchConfig& config, void** parameters, void** extra, LaunchRequest& request);

/// Does it here and now, and keeps a record of it. What goes wrong becomes the context's fault. A context that has a fault does
/// nothing more.
void run_launch(const LaunchRequest& request);

}  // namespace cubind::sim
