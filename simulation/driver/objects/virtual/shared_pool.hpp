// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "objects/memory/allocate.hpp"
#include "objects/pool/pool_file.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Allocates memory of a pool that processes share, and adds it to the memory map.
NewMemory allocate_shared(MemoryMap& memory, const std::shared_ptr<Pool>& pool, std::size_t bytes);

/// Maps a piece that another process has allocated in the pool, which was imported, and adds it to the memory map.
NewMemory import_shared(MemoryMap& memory, const std::shared_ptr<Pool>& pool, const PoolFile::Piece& piece);

/// Returns the piece of the pool's file that the memory occupies. The memory belongs to a pool that processes share.
const PoolFile::Piece& piece_of(const Allocation& allocation) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
