// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_resource.hpp>

namespace CUBIND_NAMESPACE::nvshmem {

class Session;

/// Memory of the symmetric heap: each PE has a buffer of the same size at the same place of its heap, and other PEs can read and
/// write it. The buffers are ordinary Buffers.
///
///     const nvshmem::SymmetricMemoryResource memory(session);
///     auto inbox = memory.allocate<float>(stream, n);
///
/// All PEs must allocate the same sizes, and free the buffers, in the same order: both wait for the stream, unless it captures,
/// and for the other PEs. So keep buffers for long. While an exception passes that was thrown after the session began, a buffer
/// is not freed, because the other PEs may never free theirs; this is reported to the cleanup handler, and the memory remains in
/// use.
///
/// The heap has NVSHMEM_SYMMETRIC_SIZE bytes, 1 GiB by default, and where it can grow, up to NVSHMEM_MAX_MEMORY_PER_GPU. Both are
/// read when the session begins. Buffers retain the session. One thread at a time may use NVSHMEM.
class CUBIND_EXPORT SymmetricMemoryResource final : public cubind::detail::ResourceHandle {
public:
    /// Creates a resource for the heap of this PE (nvshmem_align, nvshmem_free). Allocations throw OutOfMemory, which states the
    /// size of the heap and how to change it. Throws std::invalid_argument for a session that is closed.
    explicit SymmetricMemoryResource(const Session& session);
};

}  // namespace CUBIND_NAMESPACE::nvshmem
