// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program_cache.hpp>

#include "cache/compiles_in_flight.hpp"
#include "support/cleanup.hpp"

#include <algorithm>
#include <atomic>
#include <exception>

namespace cubind {
namespace {

/// Does what a cache may fail at. Gives `otherwise` where it throws.
template <class Result, class Function>
Result attempt(const char* what, Result otherwise, Function&& function) noexcept {
    try {
        return function();
    } catch (const std::exception& error) {
        detail::report_cleanup_failure(what, error.what());
    } catch (...) {
        detail::report_cleanup_failure(what, "an exception of an unknown type");
    }
    return otherwise;
}

/// A compile that others in this process wait for; they learn of its end in any case.
class FirstCompile {
public:
    FirstCompile(detail::CompilesInFlight& in_flight, const CacheKey& key, detail::CompilesInFlight::Compile& compile)
        : in_flight_(in_flight), key_(key), compile_(compile) {}
    FirstCompile(const FirstCompile&) = delete;
    FirstCompile& operator=(const FirstCompile&) = delete;
    ~FirstCompile() { in_flight_.end(key_, compile_, std::move(program_)); }

    Bytes ends_with(Bytes program) noexcept {
        program_ = program;
        return program;
    }

private:
    detail::CompilesInFlight& in_flight_;
    const CacheKey& key_;
    detail::CompilesInFlight::Compile& compile_;
    std::optional<Bytes> program_;
};

/// No sum with it overflows the clock.
constexpr std::chrono::milliseconds longest_timeout = std::chrono::hours(24 * 365);

}  // namespace

struct ProgramCache::State {
    std::atomic<std::uint64_t> hits = 0;
    std::atomic<std::uint64_t> misses = 0;
    std::atomic<std::uint64_t> damaged = 0;
    std::atomic<std::uint64_t> evictions = 0;
    detail::CompilesInFlight in_flight;
};

ProgramCache::ProgramCache() : state_(std::make_unique<State>()) {}
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
    attempt("keep a program in its cache", true, [&] { return do_put(key, program), true; });
}

void ProgramCache::erase(const CacheKey& key) noexcept {
    attempt("remove a program from its cache", true, [&] { return do_erase(key), true; });
}

void ProgramCache::clear() noexcept {
    attempt("clear a program cache", true, [&] { return do_clear(), true; });
}

std::size_t ProgramCache::size_bytes() const noexcept {
    return attempt("measure a program cache", std::size_t{0}, [&] { return do_size_bytes(); });
}

ProgramCacheStatistics ProgramCache::statistics() const noexcept {
    return {state_->hits, state_->misses, state_->damaged, state_->evictions};
}

void ProgramCache::count_damaged() noexcept { ++state_->damaged; }

void ProgramCache::count_evictions(std::uint64_t count) noexcept { state_->evictions += count; }

std::shared_ptr<void> ProgramCache::lock_compile(const CacheKey&, std::chrono::steady_clock::time_point) { return nullptr; }

Bytes ProgramCache::get_or_call(const CacheKey& key, detail::CompileCall compile, std::chrono::milliseconds timeout) {
    if (std::optional<Bytes> program = get(key)) return *std::move(program);
    const auto compile_and_put = [&] {
        Bytes program = compile.call(compile.callable);
        put(key, program);
        return program;
    };

    const auto deadline = std::chrono::steady_clock::now() + std::clamp(timeout, std::chrono::milliseconds(0), longest_timeout);
    const detail::CompilesInFlight::Joined joined = state_->in_flight.join(key);
    if (!joined.is_first) {
        if (std::optional<Bytes> program = state_->in_flight.wait(*joined.compile, deadline)) return *std::move(program);
        return compile_and_put();
    }
    FirstCompile first(state_->in_flight, key, *joined.compile);
    const auto lock =
        attempt<std::shared_ptr<void>>("lock the compile of a program", nullptr, [&] { return lock_compile(key, deadline); });
    // Between the first look and now another thread or process may have ended what it compiled.
    if (std::optional<Bytes> program = look_up(key)) return first.ends_with(*std::move(program));
    return first.ends_with(compile_and_put());
}

}  // namespace cubind
