// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <memory>
#include <utility>

#include "lifetime/once_per_driver.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// The handles of one library that no call uses, each for a stream of a context. Thread-safe.
class CUBIND_EXPORT IdleHandles {
public:
    /// The most handles that wait for a call. The one that was used longest ago is destroyed.
    CUBIND_HIDDEN static constexpr std::size_t capacity = 16;

    /// `destroy` destroys a handle.
    explicit IdleHandles(void (*destroy)(void* handle) noexcept);
    ~IdleHandles();

    /// Removes a handle for the stream, which must be of the current context. Returns nullptr if there is none.
    [[nodiscard]] void* take(driver::CUcontext context, driver::CUstream stream) noexcept;
    /// Adds a handle. `ended_before` is the count_of_ended() of before it was taken or created.
    void give_back(driver::CUcontext context, driver::CUstream stream, void* handle, unsigned int ended_before) noexcept;
    /// Returns how many contexts have ended.
    [[nodiscard]] static unsigned int count_of_ended() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A handle of a library that one call at a time uses, for a stream of the current context. Handles are expensive to create, so
/// that they are kept for later calls of that stream. `Library` has:
///
///     using Handle = cublasHandle_t;                          a pointer
///     static Handle create(driver::CUstream stream);          throws Error
///     static void destroy(Handle handle) noexcept;
template <class Library>
class [[nodiscard]] PooledHandle {
public:
    using Handle = typename Library::Handle;

    /// Takes a handle for the stream, whose context must be current, or creates one.
    PooledHandle(driver::CUcontext context, driver::CUstream stream)
        : pool_(pool()),
          context_(context),
          stream_(stream),
          ended_before_(IdleHandles::count_of_ended()),
          handle_(static_cast<Handle>(pool_.take(context, stream))) {
        if (handle_ == nullptr) [[unlikely]]
            handle_ = Library::create(stream);
    }
    PooledHandle(const PooledHandle&) = delete;
    PooledHandle& operator=(const PooledHandle&) = delete;
    ~PooledHandle() { pool_.give_back(context_, stream_, handle_, ended_before_); }

    /// Returns the handle.
    [[nodiscard]] Handle get() const noexcept { return handle_; }

private:
    static IdleHandles& pool() {
        static cubind::detail::OncePerDriver<IdleHandles> pools;
        return pools.get([] {
            return std::make_unique<IdleHandles>([](void* handle) noexcept { Library::destroy(static_cast<Handle>(handle)); });
        });
    }

    IdleHandles& pool_;
    driver::CUcontext context_;
    driver::CUstream stream_;
    unsigned int ended_before_;  // the context may end during the call
    Handle handle_;
};

}  // namespace CUBIND_NAMESPACE::math::detail
