// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program_cache_key.hpp>

#include <string>
#include <string_view>

namespace cubind::detail {

/// What a file in a cache's folder is for, by its name: the key's digits and an ending. Others are not the cache's and stay.
enum class FileKind { entry, lock, temporary, foreign };

std::string entry_name(const CacheKey& key);
std::string lock_name(const CacheKey& key);
/// Another one each time.
std::string temporary_name(const CacheKey& key);

FileKind kind_of(std::string_view name) noexcept;

}  // namespace cubind::detail
