// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program_cache_key.hpp>

#include <cstdint>

#include "cache/entry_file.hpp"
#include "cache/hash.hpp"

namespace CUBIND_NAMESPACE {

std::string CacheKey::to_string() const {
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (const std::byte each : bytes) {
        text.push_back(digits[std::to_integer<unsigned>(each >> 4)]);
        text.push_back(digits[std::to_integer<unsigned>(each & std::byte{15})]);
    }
    return text;
}

struct CacheKeyBuilder::State {
    detail::RunningHash hash;

    void add(std::string_view text) noexcept {
        const std::uint64_t size = text.size();
        hash.add(&size, sizeof size);
        hash.add(text.data(), text.size());
    }
};

CacheKeyBuilder::CacheKeyBuilder() : state_(std::make_unique<State>()) {
    add("cache format", std::to_string(detail::entry_format_version));
}

CacheKeyBuilder::CacheKeyBuilder(CacheKeyBuilder&&) noexcept = default;
CacheKeyBuilder& CacheKeyBuilder::operator=(CacheKeyBuilder&&) noexcept = default;
CacheKeyBuilder::~CacheKeyBuilder() = default;

CacheKeyBuilder& CacheKeyBuilder::add(std::string_view label, std::string_view text) {
    state_->add(label);
    state_->add(text);
    return *this;
}

CacheKey CacheKeyBuilder::key() const {
    return {state_->hash.value()};
}

}  // namespace CUBIND_NAMESPACE
