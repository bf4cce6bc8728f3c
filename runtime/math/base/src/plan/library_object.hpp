// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/stream/event.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "lifetime/deferred.hpp"
#include "plan/call_order.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// An object of a library that work of a device uses, such as a plan of cuFFT with its tables. Its owners are a plan and the
/// graphs that have captured work of it. Once they have released it and the work of the plan has completed, a function that waits
/// for work destroys it. No call blocks for that.
class CUBIND_EXPORT LibraryObject final : public cubind::detail::Deferred {
public:
    /// Destroys an object of the library. Its context is current.
    using Destroy = void (*)(std::uintptr_t handle) noexcept;

    /// Takes ownership of an object that was created in the context.
    [[nodiscard]] static std::shared_ptr<LibraryObject> own(ContextRef context, std::uintptr_t handle, Destroy destroy);
    ~LibraryObject() override;

    /// Returns the handle.
    [[nodiscard]] std::uintptr_t handle() const noexcept { return handle_; }

    /// Keeps memory that the object uses for as long as the object exists. Null is ignored. Not thread-safe.
    void retain(std::shared_ptr<const void> memory) {
        if (memory != nullptr) retained_.push_back(std::move(memory));
    }

    /// Ends the ownership of a plan, whose calls have this order. Without a call that still runs, and without another owner, the
    /// object is destroyed at once.
    static void release(std::shared_ptr<LibraryObject>& object, const CallOrder& order) noexcept;

    /// Returns whether the work of the plan has completed or failed.
    bool is_ready() noexcept override;

private:
    LibraryObject(ContextRef context, std::uintptr_t handle, Destroy destroy) noexcept;

    ContextRef context_;
    std::uintptr_t handle_;
    Destroy destroy_;
    unsigned int ended_before_;  // the contexts that had ended when the object was created
    Event completion_;           // of the plan's work
    std::vector<std::shared_ptr<const void>> retained_;
};

}  // namespace CUBIND_NAMESPACE::math::detail
