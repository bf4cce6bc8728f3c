// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/code/form.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

Forms fence_forms();

}  // namespace CUBIND_NAMESPACE::sim::ptx
