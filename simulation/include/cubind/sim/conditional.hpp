// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE::sim {

/// Sets the value of a conditional handle, as device code does with cudaGraphSetConditional. Kernel bodies, host nodes
/// and tests may call it. Conditional nodes read the value when they run. Returns false if the handle does not exist.
bool set_conditional(driver::CUgraphConditionalHandle handle, unsigned value);

}  // namespace CUBIND_NAMESPACE::sim
