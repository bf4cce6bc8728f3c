// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/file_names.hpp"

#include <algorithm>
#include <random>

namespace cubind::detail {
namespace {

constexpr std::string_view entry_ending = ".program";
constexpr std::string_view lock_ending = ".lock";
constexpr std::string_view temporary_ending = ".tmp";
constexpr std::size_t key_length = 32;

bool is_digit(char each) noexcept { return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f'); }

}  // namespace

std::string entry_name(const CacheKey& key) { return key.to_string().append(entry_ending); }

std::string lock_name(const CacheKey& key) { return key.to_string().append(lock_ending); }

std::string temporary_name(const CacheKey& key) {
    CacheKey number;
    std::random_device random;
    for (std::uint64_t* half : {&number.high, &number.low}) *half = std::uint64_t{random()} << 32 | random();
    return key.to_string().append(".").append(number.to_string()).append(temporary_ending);
}

FileKind kind_of(std::string_view name) noexcept {
    if (name.size() < key_length || !std::all_of(name.begin(), name.begin() + key_length, is_digit)) return FileKind::foreign;
    const std::string_view ending = name.substr(key_length);
    if (ending == entry_ending) return FileKind::entry;
    if (ending == lock_ending) return FileKind::lock;
    if (ending.size() == 1 + key_length + temporary_ending.size() && ending.front() == '.' && ending.ends_with(temporary_ending)) {
        return FileKind::temporary;
    }
    return FileKind::foreign;
}

}  // namespace cubind::detail
