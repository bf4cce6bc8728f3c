// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <mutex>

namespace CUBIND_NAMESPACE::detail {

/// Keeps an object usable in the child process after fork(). The child has only the thread that forked, so a mutex that another
/// thread held would never be unlocked, and an operation that another thread has begun would never end. Hooks must not be created
/// or destroyed while a mutex is locked that fork() waits for.
class CUBIND_EXPORT ForkHook {
public:
    using Function = void (*)(void* object) noexcept;

    /// Makes fork() wait for `mutex`, which may be null, and hold it while it copies the process. In the child,
    /// `continue_in_child(object)` is called before the mutex is unlocked; it may be null.
    ForkHook(std::mutex* mutex, void* object = nullptr, Function continue_in_child = nullptr) noexcept;
    /// For a mutex that threads hold while they call the driver: fork() would wait for the driver, so it holds `mutex` only if no
    /// other thread does. Otherwise, what the mutex guards may be half changed in the child. There, `renew(object)` creates both
    /// anew, without destroying them.
    ForkHook(std::mutex& mutex, void* object, Function renew) noexcept;
    ForkHook(const ForkHook&) = delete;
    ForkHook& operator=(const ForkHook&) = delete;
    ~ForkHook();

private:
    void add() noexcept;
    static void prepare() noexcept;
    static void release_in_parent() noexcept;
    static void release_in_child() noexcept;

    static constinit std::mutex all_mutex_;
    static constinit ForkHook* all_;

    std::mutex* const mutex_;
    void* const object_;
    const Function continue_in_child_ = nullptr;
    const Function renew_ = nullptr;
    bool is_held_ = false;  // during fork()
    ForkHook* previous_ = nullptr;
    ForkHook* next_ = nullptr;
};

}  // namespace CUBIND_NAMESPACE::detail
