// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/program_cache.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>

#include "lifetime/cleanup.hpp"
#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE {

// ---- compilations in progress --------------------------------------------------------------------------------------------

namespace {

/// The compilations of one cache that are in progress in this process, so that other threads wait for their results.
class CompilesInProgress {
public:
    using Clock = std::chrono::steady_clock;

    struct Compile {
        std::condition_variable ended;
        bool is_ended = false;
        std::optional<Bytes> program;
    };

    struct Participation {
        std::shared_ptr<Compile> compile;
        /// Whether this thread is the first one, which compiles and must call end().
        bool is_first;
    };
    Participation join(const CacheKey& key);

    /// Ends a compilation and wakes the waiting threads; std::nullopt if it failed.
    void end(const CacheKey& key, Compile& compile, std::optional<Bytes> program);
    /// Returns the program, or std::nullopt if the compilation failed or has not ended at the deadline.
    std::optional<Bytes> wait(Compile& compile, Clock::time_point deadline);

private:
    /// Forgets the compilations of the parent's threads, which do not end in the child.
    static void continue_in_child(void* self) noexcept { static_cast<CompilesInProgress*>(self)->compiles_.clear(); }

    std::mutex mutex_;
    std::map<CacheKey, std::shared_ptr<Compile>> compiles_;
    const detail::ForkHook fork_hook_{&mutex_, this, continue_in_child};
};

CompilesInProgress::Participation CompilesInProgress::join(const CacheKey& key) {
    const std::lock_guard guard(mutex_);
    if (const auto place = compiles_.find(key); place != compiles_.end()) return {place->second, false};
    auto compile = std::make_shared<Compile>();
    compiles_.emplace(key, compile);
    return {std::move(compile), true};
}

void CompilesInProgress::end(const CacheKey& key, Compile& compile, std::optional<Bytes> program) {
    const std::lock_guard guard(mutex_);
    compile.program = std::move(program);
    compile.is_ended = true;
    compiles_.erase(key);
    compile.ended.notify_all();
}

std::optional<Bytes> CompilesInProgress::wait(Compile& compile, Clock::time_point deadline) {
    std::unique_lock guard(mutex_);
    compile.ended.wait_until(guard, deadline, [&] { return compile.is_ended; });
    return compile.program;
}

/// The compilation of the first thread. Its end wakes the waiting threads, even if the compilation failed.
class FirstCompile {
public:
    FirstCompile(CompilesInProgress& in_progress, const CacheKey& key, CompilesInProgress::Compile& compile)
        : in_progress_(in_progress), key_(key), compile_(compile) {}
    FirstCompile(const FirstCompile&) = delete;
    FirstCompile& operator=(const FirstCompile&) = delete;
    ~FirstCompile() { in_progress_.end(key_, compile_, std::move(program_)); }

    Bytes finish(Bytes program) noexcept {
        program_ = program;
        return program;
    }

private:
    CompilesInProgress& in_progress_;
    const CacheKey& key_;
    CompilesInProgress::Compile& compile_;
    std::optional<Bytes> program_;
};

}  // namespace

// ---- the cache -----------------------------------------------------------------------------------------------------------

namespace {

void report(const char* what, const char* why) noexcept try {
    detail::report_cleanup_failure_once(what, why, why);
} catch (const std::bad_alloc&) {
    detail::report_cleanup_failure(what, why);
}

/// Calls a function of a cache. If it throws, reports the exception to the cleanup handler, once, and returns `otherwise`.
template <class Result, class Function>
Result attempt(const char* what, Result otherwise, Function&& function) noexcept {
    try {
        return function();
    } catch (const std::exception& error) {
        report(what, error.what());
    } catch (...) {
        report(what, "an exception of an unknown type");
    }
    return otherwise;
}

/// The limit of a timeout. Adding it to a time of the clock does not overflow.
constexpr std::chrono::milliseconds max_timeout = std::chrono::hours(24 * 365);

}  // namespace

struct ProgramCache::State {
    std::atomic<std::uint64_t> hits = 0;
    std::atomic<std::uint64_t> misses = 0;
    std::atomic<std::uint64_t> damaged = 0;
    std::atomic<std::uint64_t> evictions = 0;
    CompilesInProgress in_progress;
};

ProgramCache::ProgramCache() : state_(new State()) {}
ProgramCache::~ProgramCache() = default;

std::optional<Bytes> ProgramCache::look_up(const CacheKey& key) noexcept {
    return attempt<std::optional<Bytes>>("look a program up in its cache", {}, [&] { return do_get(key); });
}

std::optional<Bytes> ProgramCache::get(const CacheKey& key) noexcept {
    std::optional<Bytes> program = look_up(key);
    ++(program ? state_->hits : state_->misses);
    return program;
}

void ProgramCache::put(const CacheKey& key, const Bytes& program) noexcept {
    if (program.empty()) return;
    attempt("store a program in its cache", true, [&] { return do_put(key, program), true; });
}

void ProgramCache::erase(const CacheKey& key) noexcept {
    attempt("remove a program from its cache", true, [&] { return do_erase(key), true; });
}

void ProgramCache::clear() noexcept {
    attempt("clear a program cache", true, [&] { return do_clear(), true; });
}

bool ProgramCache::contains(const CacheKey& key) const noexcept {
    return attempt("look a program up in its cache", false, [&] { return do_contains(key); });
}

std::size_t ProgramCache::count() const noexcept {
    return attempt("count the programs of a cache", std::size_t{0}, [&] { return do_count(); });
}

std::size_t ProgramCache::size_bytes() const noexcept {
    return attempt("compute the size of a program cache", std::size_t{0}, [&] { return do_size_bytes(); });
}

ProgramCacheStatistics ProgramCache::statistics() const noexcept {
    return {state_->hits, state_->misses, state_->damaged, state_->evictions};
}

void ProgramCache::count_damaged() noexcept {
    ++state_->damaged;
}

void ProgramCache::count_evictions(std::uint64_t count) noexcept {
    state_->evictions += count;
}

std::shared_ptr<void> ProgramCache::lock_compile(const CacheKey&, std::chrono::steady_clock::time_point) {
    return nullptr;
}

Bytes ProgramCache::get_or_call(const CacheKey& key, detail::CompileCall compile, std::chrono::milliseconds timeout) {
    // Each call counts once: as a hit if it does not compile, whether the program was found at once or awaited.
    const auto hit = [&](std::optional<Bytes>& program) {
        ++state_->hits;
        return *std::move(program);
    };
    const auto compile_and_put = [&] {
        ++state_->misses;
        Bytes program = compile.call(compile.callable);
        put(key, program);
        return program;
    };
    if (std::optional<Bytes> program = look_up(key)) return hit(program);

    const auto deadline = std::chrono::steady_clock::now() + std::clamp(timeout, std::chrono::milliseconds(0), max_timeout);
    const CompilesInProgress::Participation participation = state_->in_progress.join(key);
    if (!participation.is_first) {
        if (std::optional<Bytes> program = state_->in_progress.wait(*participation.compile, deadline)) return hit(program);
        return compile_and_put();
    }
    FirstCompile first(state_->in_progress, key, *participation.compile);
    const auto lock =
        attempt<std::shared_ptr<void>>("lock the compilation of a program", nullptr, [&] { return lock_compile(key, deadline); });
    // Another thread or process may have finished a compilation since the first lookup.
    if (std::optional<Bytes> program = look_up(key)) return first.finish(hit(program));
    return first.finish(compile_and_put());
}

}  // namespace CUBIND_NAMESPACE
