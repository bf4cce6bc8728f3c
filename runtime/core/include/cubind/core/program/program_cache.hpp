// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/private_state.hpp>
#include <cubind/core/memory/bytes.hpp>
#include <cubind/core/program/program_cache_key.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

namespace CUBIND_NAMESPACE {

/// The counters of a cache since it was created, in this process.
struct ProgramCacheStatistics {
    /// Requests for a program that the cache returned, or that another thread or process compiled while this one waited for it.
    std::uint64_t hits = 0;
    /// Requests for a program that the cache did not have or could not use. Each compilation counts as one miss.
    std::uint64_t misses = 0;
    /// Entries that were removed because they were truncated or changed, or have another key, owner or format. They also
    /// count as misses.
    std::uint64_t damaged = 0;
    /// Programs that were removed to free space.
    std::uint64_t evictions = 0;
};

namespace detail {

/// A type-erased callable that returns Bytes.
struct CUBIND_EXPORT CompileCall {
    void* callable;
    Bytes (*call)(void*);
};

}  // namespace detail

/// The interface of caches that store compiled programs by key: InMemoryProgramCache, FileProgramCache, or a
/// user's class that defines the private functions. A cache never makes a compilation fail: its own failures count as
/// misses and are reported to the cleanup handler, once for each cause. Any number of threads may use a cache at once, except for
/// its construction and destruction. A forked child may use the caches of its parent; it does not wait for the parent's threads.
///
///     FileProgramCache cache;
///     Bytes cubin = cache.get_or_compile(key, [&] { return compile(source); });
class CUBIND_EXPORT ProgramCache {
public:
    /// The time for which get_or_compile() waits by default for another compilation of the same key.
    CUBIND_HIDDEN static constexpr std::chrono::milliseconds default_timeout = std::chrono::minutes(2);

    ProgramCache(const ProgramCache&) = delete;
    ProgramCache& operator=(const ProgramCache&) = delete;
    /// Destroys the cache. Programs that were returned remain valid.
    virtual ~ProgramCache();

    /// Returns the program, or std::nullopt if the cache does not have it. Marks it as the most recently used.
    [[nodiscard]] std::optional<Bytes> get(const CacheKey& key) noexcept;
    /// Stores the program, replaces an older one of this key, and removes the least recently used programs that no
    /// longer fit. A program that is empty or larger than the cache is not stored.
    void put(const CacheKey& key, const Bytes& program) noexcept;
    /// Removes the program if the cache has it.
    void erase(const CacheKey& key) noexcept;
    /// Removes all programs.
    void clear() noexcept;

    /// Returns whether the cache has a program of this key. The program is neither read nor marked as used, and the call is
    /// neither a hit nor a miss. A get() afterwards can miss: another thread or process may have removed the program, and a
    /// FileProgramCache finds damage only when it reads a file.
    [[nodiscard]] bool contains(const CacheKey& key) const noexcept;
    /// Returns the number of keys for which contains() is true. Marks no program as used.
    [[nodiscard]] std::size_t count() const noexcept;
    /// Returns the size of all stored programs in bytes; for files, with their headers and with programs that are being written.
    [[nodiscard]] std::size_t size_bytes() const noexcept;
    /// Returns the counters.
    [[nodiscard]] ProgramCacheStatistics statistics() const noexcept;

    /// Returns the stored program, or calls `compile`, which takes no arguments and returns Bytes, and stores its result. If
    /// several threads request one key at once, one of them compiles and the others wait for it. With a FileProgramCache, this
    /// includes the threads of all processes. A thread compiles the program itself if it has waited for `timeout`, or if the
    /// compilation that it waited for failed. Throws the exceptions of its own `compile` and std::bad_alloc.
    template <class Compile>
    Bytes get_or_compile(const CacheKey& key, Compile&& compile, std::chrono::milliseconds timeout = default_timeout) {
        // A pointer to the pointer, because a pointer to a function does not convert to void*.
        std::remove_reference_t<Compile>* callable = std::addressof(compile);
        const auto call = [](void* pointer) -> Bytes { return (**static_cast<decltype(callable)*>(pointer))(); };
        return get_or_call(key, {&callable, call}, timeout);
    }

protected:
    /// Creates a cache with all counters at zero.
    ProgramCache();

    /// Adds one to ProgramCacheStatistics::damaged.
    void count_damaged() noexcept;
    /// Adds `count` to ProgramCacheStatistics::evictions.
    void count_evictions(std::uint64_t count) noexcept;

private:
    // An exception of one of these functions is reported to the cleanup handler. do_get() then counts as a miss, contains() is
    // false, numbers are 0, and the others have no effect.
    virtual std::optional<Bytes> do_get(const CacheKey& key) = 0;
    virtual void do_put(const CacheKey& key, const Bytes& program) = 0;
    virtual void do_erase(const CacheKey& key) = 0;
    virtual void do_clear() = 0;
    virtual bool do_contains(const CacheKey& key) const = 0;
    virtual std::size_t do_count() const = 0;
    virtual std::size_t do_size_bytes() const = 0;
    /// If other processes share the cache, waits until `deadline` at most for the exclusive right to compile for this
    /// key. The right ends with the returned object. Returns nullptr if the cache has no such right; the caller then
    /// compiles without it.
    virtual std::shared_ptr<void> lock_compile(const CacheKey& key, std::chrono::steady_clock::time_point deadline);

    Bytes get_or_call(const CacheKey& key, detail::CompileCall compile, std::chrono::milliseconds timeout);
    std::optional<Bytes> look_up(const CacheKey& key) noexcept;

    struct State;
    detail::PrivateState<State> state_;
};

}  // namespace CUBIND_NAMESPACE
