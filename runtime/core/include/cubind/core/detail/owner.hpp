// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace cubind::detail {

/// Throws std::invalid_argument for the use of an object that was moved from, closed or released. `what` is the name of its class.
[[noreturn]] void throw_moved_from(const char* what);

/// What all owners share: a view that can only be moved and that ends what it owns. The view supplies `empty()`, the view of nothing,
/// `is_empty()`, `destroy()`, which throws, `destroy_quietly() noexcept`, which tells the cleanup handler, and `release_handle() noexcept`,
/// which returns the handle that is now the caller's to destroy.
template <class View>
class Owner : public View {
public:
    using Handle = typename View::Handle;

    Owner(Owner&& other) noexcept : View(other.take()) {}
    Owner& operator=(Owner&& other) noexcept {
        if (this != &other) {
            end();
            view() = other.take();
        }
        return *this;
    }
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    ~Owner() { end(); }

    /// Gives up ownership: the caller destroys what the handle stands for. The object is as if moved from.
    Handle release() noexcept { return take().release_handle(); }

    /// Destroys what is owned now, and throws where the destructor could only report; then it is still owned. Closing again does nothing.
    void close() {
        if (this->is_empty()) return;
        view().destroy();
        view() = View::empty();
    }

    /// Whether it owns nothing: it was moved from, closed or released.
    bool is_closed() const noexcept { return this->is_empty(); }

protected:
    explicit Owner(View owned) noexcept : View(owned) {}

private:
    View& view() noexcept { return *this; }
    View take() noexcept { return std::exchange(view(), View::empty()); }
    void end() noexcept {
        if (!this->is_empty()) take().destroy_quietly();
    }
};

}  // namespace cubind::detail
