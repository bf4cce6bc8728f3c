// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/code/form.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Branches, calls, barriers and the end of threads.
Forms control_forms();

}  // namespace CUBIND_NAMESPACE::sim::ptx
