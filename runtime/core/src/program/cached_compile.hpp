// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/program_cache.hpp>

#include <functional>
#include <optional>

#include "program/compile_job.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns the bytes that a cache stores for a compilation. The code is first, so that other tools can read the file; names and
/// log follow.
Bytes pack(const Compiled& compiled);

/// Returns the compilation that pack() stored in these bytes, and shares the code's bytes. Returns std::nullopt for other
/// bytes.
std::optional<Compiled> unpack(const Bytes& packed);

/// Returns the result from the cache, or compiles and stores the result. Stores nothing if the inputs changed during the
/// compilation; `current_key` returns the key of the current inputs.
Compiled compile_cached(ProgramCache& cache, const CacheKey& key, const std::function<Compiled()>& compile,
                        const std::function<CacheKey()>& current_key);

}  // namespace CUBIND_NAMESPACE::detail
