// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

/// A number in a file descriptor: what this process hands out where the driver hands out shared memory. It can be sent, copied and
/// closed as any descriptor; only this process understands it.
namespace cubind::sim {

enum class SharedKind : std::uint64_t { memory = 1, pool = 2 };

/// A descriptor that holds the number; -1 where the process may have no more of them.
int share_number(SharedKind kind, std::uint64_t number);

/// The number in a descriptor; none in one that share_number() did not make for this kind.
std::optional<std::uint64_t> shared_number(int descriptor, SharedKind kind);

}  // namespace cubind::sim
