// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// The barrier of a cluster, and addresses of the shared memory of its blocks.
Forms cluster_forms();

}  // namespace CUBIND_NAMESPACE::sim::ptx
