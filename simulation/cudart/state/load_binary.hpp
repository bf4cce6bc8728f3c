// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// Loads the code that a program refers to by a structure of nvcc: a fat binary, or fat binaries of code that calls functions of
/// other files (-rdc=true), which the driver links first.
cudaError_t load_binary(const void* structure, CUlibrary& library);

}  // namespace CUBIND_NAMESPACE::sim::cudart
