// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>

namespace CUBIND_NAMESPACE::detail {

/// The order in which fork() acquires locks. Code that holds a lock acquires only locks further down.
enum class ForkLevel { object, layer, layer_chain, layer_memory, layer_leaf, entry_points, driver };
inline constexpr std::size_t fork_levels = static_cast<std::size_t>(ForkLevel::driver) + 1;

/// Keeps an object usable in the child process after fork(). The child has only the thread that forked, so a mutex that another
/// thread held would never be unlocked, and an operation that another thread has begun would never end.
///
/// A thread may create hooks while it holds a mutex that fork() waits for; they have no effect on a fork() that has begun. It
/// must not destroy hooks then, because the destructor waits for the end of fork().
class CUBIND_EXPORT ForkHook {
public:
    using Function = void (*)(void* object) noexcept;
    /// What fork() calls with the object. Each may be null.
    struct Actions {
        Function hold = nullptr;      ///< before it copies the process; from the first level to the last
        Function release = nullptr;   ///< in both processes; from the last level to the first
        Function in_child = nullptr;  ///< in the child, before `release`
    };

    ForkHook(ForkLevel level, void* object, const Actions& actions) noexcept;
    /// Makes fork() wait for `mutex`, which may be null, and hold it while it copies the process. In the child,
    /// `continue_in_child(object)` is called before the mutex is unlocked; it may be null.
    ForkHook(ForkLevel level, std::mutex* mutex, void* object = nullptr, Function continue_in_child = nullptr) noexcept;
    explicit ForkHook(std::mutex* mutex, void* object = nullptr, Function continue_in_child = nullptr) noexcept
        : ForkHook(ForkLevel::object, mutex, object, continue_in_child) {}
    /// For a mutex that threads hold while they call the driver: fork() would wait for the driver, so it holds `mutex` only if no
    /// other thread does. Otherwise, what the mutex guards may be half changed in the child. There, `renew(object)` creates both
    /// anew, without destroying them.
    ForkHook(std::mutex& mutex, void* object, Function renew) noexcept;
    ForkHook(const ForkHook&) = delete;
    ForkHook& operator=(const ForkHook&) = delete;
    ~ForkHook();

private:
    using List = std::array<ForkHook*, fork_levels>;

    void add() noexcept;
    void hold() noexcept;
    void release() noexcept;
    static void prepare() noexcept;
    static void repair_list() noexcept;
    template <bool is_child>
    static void finish() noexcept;

    static constinit std::mutex removal_mutex_;  // fork() holds it from its beginning to its end
    static constinit std::mutex list_mutex_;     // held for moments
    static constinit List all_;
    static constinit List held_;  // the hooks when fork() began

    const ForkLevel level_;
    std::mutex* const mutex_ = nullptr;
    void* const object_;
    const Actions actions_;
    const Function renew_ = nullptr;
    bool is_held_ = false;  // during fork()
    ForkHook* previous_ = nullptr;
    ForkHook* next_ = nullptr;
};

/// A hook of an object that is never destroyed. The hook is a static variable, so that it is removed when its library is
/// unloaded, and otherwise remains until the process ends.
class StaticForkHook {
public:
    constexpr StaticForkHook() noexcept : none_() {}
    StaticForkHook(const StaticForkHook&) = delete;
    StaticForkHook& operator=(const StaticForkHook&) = delete;
    ~StaticForkHook() {
        if (is_added_) std::destroy_at(&hook_);
    }

    /// Adds the hook. Is called once.
    template <class... Arguments>
    void add(Arguments&&... arguments) noexcept {
        std::construct_at(&hook_, static_cast<Arguments&&>(arguments)...);
        is_added_ = true;
    }

private:
    union {
        char none_;
        ForkHook hook_;
    };
    bool is_added_ = false;
};

}  // namespace CUBIND_NAMESPACE::detail
