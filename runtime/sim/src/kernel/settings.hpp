// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>

#include <cubind/sim/launch.hpp>

namespace cubind::sim {

using namespace driver;

/// What a program may set of a kernel.
struct KernelChoices {
    std::optional<int> dynamic_shared_bytes;  ///< the most that a launch may ask for; unset: what needs no opting in
    int carveout = -1;
    Dim3 cluster{0, 0, 0};
    bool may_exceed_portable_cluster = false;
    int cluster_policy = 0;
};

/// The same for several threads.
class KernelSettings {
public:
    KernelChoices get() const {
        const std::lock_guard lock(mutex_);
        return choices_;
    }
    /// Calls `change(choices)`, which gives a status.
    template <class Change>
    CUresult change(Change change) {
        const std::lock_guard lock(mutex_);
        return change(choices_);
    }

private:
    mutable std::mutex mutex_;
    KernelChoices choices_;
};

}  // namespace cubind::sim
