// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "objects/context/context.hpp"
#include "objects/virtual/external_file.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A semaphore of another interface that the program has imported. Its state is the first word of a file, which other processes
/// can map, too: 1 for a binary semaphore that is signaled, else 0; and the value of a timeline semaphore.
class ExternalSemaphore {
public:
    enum class Kind { binary, timeline };

    ExternalSemaphore(driver::CUexternalSemaphore own_handle, std::shared_ptr<Context> owner, Kind own_kind,
                      std::shared_ptr<ExternalFile> file, std::shared_ptr<FileView> view)
        : handle(own_handle), context(std::move(owner)), kind(own_kind), file_(std::move(file)), view_(std::move(view)) {}

    const driver::CUexternalSemaphore handle;
    const std::shared_ptr<Context> context;
    const Kind kind;

    /// Signals the semaphore. A timeline never goes back.
    void signal(std::uint64_t value) const noexcept {
        if (kind == Kind::binary) return word().store(1, std::memory_order_release);
        std::uint64_t found = word().load(std::memory_order_relaxed);
        while (found < value && !word().compare_exchange_weak(found, value, std::memory_order_acq_rel)) {
        }
    }
    /// Returns whether a wait ends. If so, a binary semaphore is not signaled any more.
    bool try_wait(std::uint64_t value) const noexcept {
        if (kind == Kind::timeline) return word().load(std::memory_order_acquire) >= value;
        std::uint64_t signaled = 1;
        return word().compare_exchange_strong(signaled, 0, std::memory_order_acq_rel);
    }

private:
    std::atomic_ref<std::uint64_t> word() const noexcept {
        return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(view_->address()));
    }

    const std::shared_ptr<ExternalFile> file_;
    const std::shared_ptr<FileView> view_;
};

}  // namespace CUBIND_NAMESPACE::sim
