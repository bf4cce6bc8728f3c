// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <memory>
#include <utility>

namespace CUBIND_NAMESPACE::detail {

/// The reference-counted state of a native object that belongs to a context, such as an array. Its users are the owner, and
/// objects and graphs that use it. The last user destroys the native object, in its context, unless the context has ended and the
/// object with it. The reference of the owner lies in the object itself, so that the owner needs only one pointer. Created with
/// std::make_shared; share() and the destructor are thread-safe.
class CUBIND_EXPORT ContextObject {
public:
    /// Destroys the native object with this handle.
    using Destroy = Result<driver::CUresult> (*)(unsigned long long handle);

    ContextObject(const ContextObject&) = delete;
    ContextObject& operator=(const ContextObject&) = delete;

    /// Takes ownership of the native object, and returns the state with the reference of its owner.
    template <class State>
    static State* own(std::shared_ptr<State> state, unsigned long long handle) noexcept {
        State* const owned = state.get();
        owned->handle_ = handle;
        owned->reference_of_owner_ = std::move(state);
        return owned;
    }

    /// Returns the context of the native object.
    ContextRef context() const noexcept { return context_; }

    /// Returns whether the context, and with it the native object, has ended.
    bool has_context_ended() const noexcept;

    /// Returns a reference that retains the native object.
    std::shared_ptr<const void> share() const noexcept { return reference_of_owner_; }

    // The owner calls one of the functions below, once.

    /// Drops the reference of the owner. If it was the last one, destroys the native object and throws Error if that fails.
    void close();
    /// Drops the reference of the owner. A failure is reported to the cleanup handler.
    void drop() noexcept { std::exchange(reference_of_owner_, nullptr).reset(); }
    /// Drops the reference of the owner; the native object is not destroyed, even if other users release it later.
    void disown() noexcept {
        handle_ = 0;
        drop();
    }

protected:
    /// Creates a state without a native object. `action` names the intent of `destroy` in messages, such as "destroy an array".
    /// The state retains `used` until the native object is destroyed.
    ContextObject(ContextRef context, Destroy destroy, const char* action, std::shared_ptr<const void> used = nullptr);
    ~ContextObject();

private:
    void destroy_in_context();

    std::shared_ptr<const void> used_;
    ContextRef context_;
    Destroy destroy_;
    const char* action_;
    unsigned long long handle_ = 0;
    unsigned int first_later_end_;  // value of ended_contexts when the object was created
    bool is_in_primary_context_;
    std::shared_ptr<const void> reference_of_owner_;
};

/// Returns the device of an object with this state. Throws std::invalid_argument, which names the kind of the object, for
/// nullptr: the state of an object that cubind does not own.
[[nodiscard]] Device device_of(const ContextObject* state, const char* kind);

/// Returns the context of a native object of unknown origin: the current one, or the primary context of device 0.
[[nodiscard]] CUBIND_EXPORT ContextRef context_of_foreign_object();

}  // namespace CUBIND_NAMESPACE::detail
