// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/program_cache_key.hpp>

#include <cstdint>

#include "files/hash.hpp"
#include "program/cache/entry_file.hpp"

namespace CUBIND_NAMESPACE {

std::string CacheKey::to_string() const {
    return detail::hexadecimal(bytes);
}

struct CacheKeyBuilder::State {
    detail::RunningHash hash;

    void add(std::string_view text) noexcept {
        const std::uint64_t size = text.size();
        hash.add(&size, sizeof size);
        hash.add(text.data(), text.size());
    }
};

CacheKeyBuilder::CacheKeyBuilder() : state_(new State()) {
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
