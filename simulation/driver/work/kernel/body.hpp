// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/kernel_body.hpp>

namespace CUBIND_NAMESPACE::sim {

class Context;

/// Runs a body as a host function for a kernel of the context. An exception becomes the status of the launch and does not
/// propagate.
void call_body(const detail::Body& body, Launch& launch, Context& context);

/// Returns the context of the body that the calling thread runs, or null.
Context* context_of_body() noexcept;

}  // namespace CUBIND_NAMESPACE::sim
