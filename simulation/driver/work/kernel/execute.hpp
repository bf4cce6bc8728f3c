// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "work/kernel/launch.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Runs the PTX of a kernel on the calling thread and on further threads, and waits for its end. Stores its status, and the
/// reason of a failure, in `launch`.
void execute(const LaunchRequest& request, Launch& launch);

}  // namespace CUBIND_NAMESPACE::sim
