// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <string_view>  // declares std::hash
#include <utility>

namespace CUBIND_NAMESPACE::detail {

/// Throws std::invalid_argument with the message that an object of the class `class_name` has no handle.
[[noreturn]] CUBIND_EXPORT void throw_moved_from(const char* class_name);

/// Base class of the owners: a movable view whose destructor destroys the handle. The view supplies these functions:
///
/// - `empty()` returns a view without a handle; `is_empty()` returns whether the view has no handle.
/// - `destroy()` destroys the handle and throws on failure. It is called once, even if it throws.
/// - `destroy_quietly() noexcept` destroys the handle and reports a failure to the cleanup handler.
/// - `release_handle() noexcept` returns the handle, which the caller must destroy from then on.
template <class View>
class Owner : public View {
public:
    /// The type of the native handle.
    using Handle = typename View::Handle;

    /// Creates an empty object. It can be assigned, closed and released; every use of the handle throws
    /// std::invalid_argument.
    Owner() noexcept : View(View::empty()) {}
    /// Moves the handle; `other` is empty afterwards.
    Owner(Owner&& other) noexcept : View(other.take()) {}
    /// Destroys the handle as the destructor does, and moves the other handle into this object.
    Owner& operator=(Owner&& other) noexcept {
        if (this != &other) {
            reset();
            view() = other.take();
        }
        return *this;
    }
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    /// Destroys the handle. A failure is reported to the cleanup handler.
    ~Owner() { reset(); }

    /// Gives up ownership and returns the handle, which the caller must destroy. Returns a null handle if the object is empty.
    /// The object is empty afterwards.
    [[nodiscard]] Handle release() noexcept { return take().release_handle(); }

    /// Destroys the handle. Throws Error if that fails. The object is empty afterwards in either case, because the driver may
    /// return the failure of earlier work after it has destroyed the handle. Closing an empty object does nothing.
    void close() {
        if (!this->is_empty()) take().destroy();
    }

    /// Returns whether the object is empty: default-constructed, moved from, closed or released.
    [[nodiscard]] bool is_closed() const noexcept { return this->is_empty(); }

protected:
    explicit Owner(View owned) noexcept : View(owned) {}

private:
    View& view() noexcept { return *this; }
    View take() noexcept { return std::exchange(view(), View::empty()); }
    void reset() noexcept {
        if (!this->is_empty()) take().destroy_quietly();
    }
};

/// Base of the std::hash specializations of views and owners. Hashes the native handle; an empty object has a hash, too.
struct HandleHash {
    template <class View>
    [[nodiscard]] std::size_t operator()(const View& view) const noexcept {
        return std::hash<const void*>{}(view.handle_);
    }
};

}  // namespace CUBIND_NAMESPACE::detail
