// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/code/passes.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

void contract(Steps&) {}

}  // namespace CUBIND_NAMESPACE::sim::ptx
