// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

namespace cubind::sim {

/// What device code does with cudaGraphSetConditional: the body of a kernel, a host node or a test sets the value that
/// conditional nodes look at. False where there is no such handle.
bool set_conditional(driver::CUgraphConditionalHandle handle, unsigned value);

}  // namespace cubind::sim
