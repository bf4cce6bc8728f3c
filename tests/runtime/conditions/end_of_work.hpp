// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/error.hpp>

#include "unlimited_memory.hpp"

namespace cubind::testing {

/// Waits for all work and destroys what it used, at the end of its scope. Objects of libraries are destroyed after the work of
/// their plans, which has to be before a stand-in ends.
struct EndOfWork {
    EndOfWork() = default;
    EndOfWork(const EndOfWork&) = delete;
    EndOfWork& operator=(const EndOfWork&) = delete;
    ~EndOfWork() {
        const UnlimitedMemory memory;
        try {
            Device(0).synchronize();
        } catch (const Error&) {  // there is no driver
        }
    }
};

}  // namespace cubind::testing
