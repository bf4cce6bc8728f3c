// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>
#include <optional>

/// A number in a file descriptor. The simulation exports such descriptors where the driver exports shared memory. A
/// descriptor can be sent, copied and closed as any other, but only the process that created it can read the number.
namespace CUBIND_NAMESPACE::sim {

enum class SharedKind : std::uint64_t { memory = 1, pool = 2 };

/// Creates a descriptor that holds the number. Returns -1 if the process cannot open another descriptor.
int share_number(SharedKind kind, std::uint64_t number);

/// Returns the number in a descriptor, or nullopt if share_number() did not create it for this kind.
std::optional<std::uint64_t> shared_number(int descriptor, SharedKind kind);

}  // namespace CUBIND_NAMESPACE::sim
