// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/stream_state.hpp>
#include <cubind/driver/types.hpp>

#include <atomic>

namespace CUBIND_NAMESPACE::detail {

/// The context of the latest note_context(), which is cached so that repeated calls are cheap.
extern std::atomic<driver::CUcontext> latest_known_context;

void add_known_context(driver::CUcontext context) noexcept;

/// Notes that objects are created in the context. Costs one load if the previous call noted the same context.
inline void note_context(driver::CUcontext context) noexcept {
    if (latest_known_context.load(std::memory_order_relaxed) != context) [[unlikely]]
        add_known_context(context);
}

/// Notes that the primary context of the device is retained. Throws std::bad_alloc if memory is exhausted.
void note_primary_context(driver::CUdevice device);

/// Notes that a context has ended, by its destruction or by a reset of a primary context.
void note_ended_context(driver::CUcontext context) noexcept;

/// Notes that a green context has ended, which had this handle as a context. Only its streams ended with it: other objects belong
/// to the primary context.
void note_ended_green_context(driver::CUcontext context) noexcept;

/// Returns whether the context has ended since `ended_contexts` had the value `since`. May call the driver
/// (cuCtxGetApiVersion).
[[nodiscard]] CUBIND_EXPORT bool has_ended(driver::CUcontext context, unsigned int since) noexcept;

/// Returns whether any noted context has ended. Objects whose handles cubind still has may have ended with it. The function may
/// call the driver, so it is called only after a driver call has failed. Once it has returned true, it always returns true,
/// because it is unknown which handles belong to which context.
[[nodiscard]] bool has_context_ended() noexcept;

/// Returns whether a simulated driver was replaced by another driver, for which the handles of the first one are not valid.
[[nodiscard]] bool is_driver_replaced() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
