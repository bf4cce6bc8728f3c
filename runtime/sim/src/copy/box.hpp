// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "copy/transfer.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Finds both ends of a copy that is not empty.
CUresult places_of(const CUDA_MEMCPY3D& copy, Place& to, Place& from);

}  // namespace CUBIND_NAMESPACE::sim
