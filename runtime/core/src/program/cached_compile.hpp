// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program_cache.hpp>

#include <functional>
#include <optional>

#include "program/compile_job.hpp"

namespace cubind::detail {

/// What a cache keeps of a compile: the code first, so that other tools can read the file, behind it names and log.
Bytes pack(const Compiled& compiled);

/// The opposite, which shares the code's bytes; nothing for what pack() has not made.
std::optional<Compiled> unpack(const Bytes& packed);

/// From the cache, or compiled now and kept.
Compiled compile_cached(ProgramCache& cache, const CacheKey& key, const std::function<Compiled()>& compile);

}  // namespace cubind::detail
