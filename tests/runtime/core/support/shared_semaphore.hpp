// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/interop/external_semaphore.hpp>

#include <atomic>
#include <cstdint>

#include "exported_file.hpp"

namespace cubind::testing {

/// A semaphore, and its state as the other interface sees it.
struct SharedSemaphore {
    explicit SharedSemaphore(Device device, ExternalSemaphoreKind kind) : semaphore(device, file.descriptor(), kind) {}

    std::uint64_t value() const { return std::atomic_ref(*file.data<std::uint64_t>()).load(); }
    void set(std::uint64_t value) const { std::atomic_ref(*file.data<std::uint64_t>()).store(value); }

    ExportedFile file{8};
    ExternalSemaphore semaphore;
};

}  // namespace cubind::testing
