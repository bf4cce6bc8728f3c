// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/bytes.hpp>
#include <cubind/core/program_cache_key.hpp>

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace cubind::detail {

/// Which keys threads of this process are compiling for one cache, so that others wait for the result.
class CompilesInFlight {
public:
    using Clock = std::chrono::steady_clock;

    struct Compile {
        std::condition_variable ended;
        bool is_ended = false;
        std::optional<Bytes> program;
    };

    struct Joined {
        std::shared_ptr<Compile> compile;
        /// The first who joins compiles and has to call end().
        bool is_first;
    };
    Joined join(const CacheKey& key);

    /// Hands those who wait the program, or tells them that there is none.
    void end(const CacheKey& key, Compile& compile, std::optional<Bytes> program);
    /// The program; nothing if there is none, or if the compile has not ended at the deadline.
    std::optional<Bytes> wait(Compile& compile, Clock::time_point deadline);

private:
    std::mutex mutex_;
    std::map<CacheKey, std::shared_ptr<Compile>> compiles_;
};

}  // namespace cubind::detail
