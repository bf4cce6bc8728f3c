// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/compiles_in_flight.hpp"

namespace cubind::detail {

CompilesInFlight::Joined CompilesInFlight::join(const CacheKey& key) {
    const std::lock_guard guard(mutex_);
    if (const auto place = compiles_.find(key); place != compiles_.end()) return {place->second, false};
    auto compile = std::make_shared<Compile>();
    compiles_.emplace(key, compile);
    return {std::move(compile), true};
}

void CompilesInFlight::end(const CacheKey& key, Compile& compile, std::optional<Bytes> program) {
    const std::lock_guard guard(mutex_);
    compile.program = std::move(program);
    compile.is_ended = true;
    compiles_.erase(key);
    compile.ended.notify_all();
}

std::optional<Bytes> CompilesInFlight::wait(Compile& compile, Clock::time_point deadline) {
    std::unique_lock guard(mutex_);
    compile.ended.wait_until(guard, deadline, [&] { return compile.is_ended; });
    return compile.program;
}

}  // namespace cubind::detail
