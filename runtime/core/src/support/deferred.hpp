// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// An object whose life ends where CUDA must not be called, such as in a callback of the driver, but whose destructor may
/// call CUDA.
class Deferred {
public:
    Deferred() = default;
    Deferred(const Deferred&) = delete;
    Deferred& operator=(const Deferred&) = delete;
    virtual ~Deferred() = default;

    /// Returns whether the object can be destroyed now; called repeatedly until it returns true.
    virtual bool is_ready() noexcept { return true; }

private:
    friend class DeferredThread;
    friend void retain_until_exit(Deferred* object) noexcept;
    Deferred* next_ = nullptr;
};

/// Starts the thread that destroys deferred objects. Must be called before the first object is deferred. May throw.
void prepare_to_defer();

/// Transfers the object to another thread, which destroys it once it is ready. Neither allocates nor calls CUDA nor fails.
void destroy_later(Deferred* object) noexcept;

/// Takes ownership of the object and never destroys it.
void retain_until_exit(Deferred* object) noexcept;

/// Blocks until all objects that were deferred before have been destroyed.
void wait_for_deferred();

}  // namespace CUBIND_NAMESPACE::detail
