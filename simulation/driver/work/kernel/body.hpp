// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/kernel_body.hpp>

namespace CUBIND_NAMESPACE::sim {

/// Runs a body as a host function. An exception becomes the status of the launch and does not propagate.
void call_body(const detail::Body& body, Launch& launch);

}  // namespace CUBIND_NAMESPACE::sim
