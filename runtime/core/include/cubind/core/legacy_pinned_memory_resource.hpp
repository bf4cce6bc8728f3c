// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory_resource.hpp>

namespace cubind {

/// How pinned memory is made. With unified addressing, which all 64-bit systems have, it is portable and mapped anyway.
struct LegacyPinnedMemoryResourceOptions {
    /// Pinned for all contexts.
    bool portable = false;
    /// In the address space of the devices.
    bool mapped = false;
    /// Faster to be read by devices, slow to be read by the host.
    bool write_combined = false;
};

/// Pinned memory of the host, allocated one by one, which every driver can (cuMemHostAlloc, cuMemFreeHost). Allocating takes its time,
/// the memory is there at once, and freeing waits for the stream, unless it is captured, and perhaps for all work of the devices. It
/// belongs to the calling thread's context, else to the first device's primary one, and ends with that.
///
///     LegacyPinnedMemoryResource pinned({.write_combined = true});
///     Buffer staging = pinned.allocate(stream, size);
class LegacyPinnedMemoryResource : public MemoryResource {
public:
    explicit LegacyPinnedMemoryResource(const LegacyPinnedMemoryResourceOptions& options = {});
};

}  // namespace cubind
