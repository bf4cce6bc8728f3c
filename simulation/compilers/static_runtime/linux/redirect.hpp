// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <link.h>

namespace CUBIND_NAMESPACE::sim {

/// Redirects the functions of NVIDIA's runtime library in an object that contains the library, as programs of nvcc do by default,
/// to the simulated runtime library. The object was mapped, and none of its code has run. Objects without a table of local
/// symbols (stripped) and those that contain the library of CUDA 12 or earlier are left as they are. Prints a line if the file of
/// an object with the library is not the one that was mapped, if its table of symbols is damaged, or if the system refuses
/// changes.
void redirect_static_runtime(const link_map& object) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
