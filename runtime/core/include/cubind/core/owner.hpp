// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace cubind::detail {

/// Throws std::invalid_argument for the use of an object that was moved from, closed or released. `what` is the name of its class.
[[noreturn]] void throw_moved_from(const char* what);

/// What all owners of a native handle share: a view that can only be moved and that ends what it owns. The view supplies the type
/// Handle, the member `handle_`, `none()` (the handle of nothing), `destroy(Handle)`, which throws, and `destroy_quietly(Handle)
/// noexcept`, which tells the cleanup handler.
template <class View>
class Owner : public View {
public:
    using Handle = typename View::Handle;

    Owner(Owner&& other) noexcept : View(other.release()) {}
    Owner& operator=(Owner&& other) noexcept {
        if (this != &other) {
            end();
            this->handle_ = other.release();
        }
        return *this;
    }
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    ~Owner() { end(); }

    /// Gives up ownership: the caller destroys what the handle stands for. The object is as if moved from.
    Handle release() noexcept { return std::exchange(this->handle_, View::none()); }

    /// Destroys what is owned now, and throws where the destructor could only report; then it is still owned. Closing again does nothing.
    void close() {
        if (this->handle_ == View::none()) return;
        View::destroy(this->handle_);
        this->handle_ = View::none();
    }

    /// Whether it owns nothing: it was moved from, closed or released.
    bool is_closed() const noexcept { return this->handle_ == View::none(); }

protected:
    explicit Owner(Handle handle) noexcept : View(handle) {}

private:
    void end() noexcept {
        if (this->handle_ != View::none()) View::destroy_quietly(release());
    }
};

}  // namespace cubind::detail
