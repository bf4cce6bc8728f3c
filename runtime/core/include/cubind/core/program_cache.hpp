// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/bytes.hpp>
#include <cubind/core/program_cache_key.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

namespace cubind {

/// What happened in a cache since it was made, in this process.
struct ProgramCacheStatistics {
    /// How often a program was asked for and was there.
    std::uint64_t hits = 0;
    /// How often it was not there, or not usable, when it was asked for.
    std::uint64_t misses = 0;
    /// Entries that were truncated, changed, of another key, of another owner or of another format, and were removed; misses too.
    std::uint64_t damaged = 0;
    /// Programs that were removed to make room.
    std::uint64_t evictions = 0;
};

namespace detail {

/// A callable that gives Bytes, without its type.
struct CompileCall {
    void* callable;
    Bytes (*call)(void*);
};

}  // namespace detail

/// Keeps compiled programs by key: InMemoryProgramCache, FileProgramCache, or a class of your own that defines the private members.
/// A cache never stands in the way of a compile: what goes wrong in it is told to the cleanup handler and is a miss. Any number of
/// threads may use one cache at once, but for its construction and destruction.
///
///     FileProgramCache cache;
///     Bytes cubin = cache.get_or_compile(key, [&] { return compile(source); });
class ProgramCache {
public:
    /// How long get_or_compile waits for somebody else's compile unless it is told.
    static constexpr std::chrono::milliseconds default_timeout = std::chrono::minutes(2);

    ProgramCache(const ProgramCache&) = delete;
    ProgramCache& operator=(const ProgramCache&) = delete;
    virtual ~ProgramCache();

    /// The program, or nothing. Counts as a use of it, so that it is not the next to be evicted.
    std::optional<Bytes> get(const CacheKey& key) noexcept;
    /// Keeps the program, in place of an older one of this key, and removes the least recently used ones that no longer fit. One that
    /// is empty or larger than the cache is not kept.
    void put(const CacheKey& key, const Bytes& program) noexcept;
    /// Removes a program if it is there.
    void erase(const CacheKey& key) noexcept;
    /// Removes all programs.
    void clear() noexcept;

    /// How many bytes the programs take now.
    std::size_t size_bytes() const noexcept;
    ProgramCacheStatistics statistics() const noexcept;

    /// The program: kept, or compiled now by `compile`, which takes nothing and returns Bytes, and kept. Of all threads that ask for
    /// one key at once, and with a FileProgramCache of all processes, one compiles and the others wait for it. Who has waited
    /// `timeout` for a compile, or for whom it failed, compiles itself. Throws what its own `compile` throws, and std::bad_alloc.
    template <class Compile>
    Bytes get_or_compile(const CacheKey& key, Compile&& compile, std::chrono::milliseconds timeout = default_timeout) {
        // By a pointer to it, because a pointer to a function is no void*.
        std::remove_reference_t<Compile>* callable = std::addressof(compile);
        const auto call = [](void* pointer) -> Bytes { return (**static_cast<decltype(callable)*>(pointer))(); };
        return get_or_call(key, {&callable, call}, timeout);
    }

protected:
    ProgramCache();

    void count_damaged() noexcept;
    void count_evictions(std::uint64_t count) noexcept;

private:
    // What they throw is a miss, or nothing done, and is told to the cleanup handler.
    virtual std::optional<Bytes> do_get(const CacheKey& key) = 0;
    virtual void do_put(const CacheKey& key, const Bytes& program) = 0;
    virtual void do_erase(const CacheKey& key) = 0;
    virtual void do_clear() = 0;
    virtual std::size_t do_size_bytes() const = 0;
    /// Waits at most until `deadline` for the right to compile for this key where other processes share the cache. The right lasts as
    /// long as what is returned; null: there is no such right to be had, compile without.
    virtual std::shared_ptr<void> lock_compile(const CacheKey& key, std::chrono::steady_clock::time_point deadline);

    Bytes get_or_call(const CacheKey& key, detail::CompileCall compile, std::chrono::milliseconds timeout);
    std::optional<Bytes> look_up(const CacheKey& key) noexcept;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cubind
