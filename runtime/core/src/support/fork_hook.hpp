// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <mutex>

namespace CUBIND_NAMESPACE::detail {

/// Keeps an object usable in the child process after fork(). The child has only the thread that forked, so a mutex that another
/// thread held would never be unlocked, and an operation that another thread has begun would never end. Hooks must not be created
/// or destroyed while a mutex of a hook is locked.
class ForkHook {
public:
    /// Makes fork() hold `mutex`, which may be null, while it copies the process. In the child, `continue_in_child(object)` is
    /// called before the mutex is unlocked; it may be null.
    ForkHook(std::mutex* mutex, void* object = nullptr, void (*continue_in_child)(void* object) noexcept = nullptr) noexcept;
    ForkHook(const ForkHook&) = delete;
    ForkHook& operator=(const ForkHook&) = delete;
    ~ForkHook();

private:
    static void prepare() noexcept;
    static void release_in_parent() noexcept;
    static void release_in_child() noexcept;

    static constinit std::mutex all_mutex_;
    static constinit ForkHook* all_;

    std::mutex* const mutex_;
    void* const object_;
    void (*const continue_in_child_)(void* object) noexcept;
    ForkHook* previous_ = nullptr;
    ForkHook* next_ = nullptr;
};

}  // namespace CUBIND_NAMESPACE::detail
