// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::sim {

/// The kind of an allocation.
enum class MemoryKind { device, host, managed, registered, mapped };

}  // namespace CUBIND_NAMESPACE::sim
