// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/program_cache_key.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cubind::testing {
namespace {

using Parts = std::vector<std::pair<std::string, std::string>>;

CacheKey key_of(const Parts& parts) {
    CacheKeyBuilder builder;
    for (const auto& [label, text] : parts) builder.add(label, text);
    return builder.key();
}

const Parts usual = {
    {"source", "__global__ void f() {}"}, {"option", "--std=c++17"},  {"option", "--fmad=false"}, {"header name", "a.h"},
    {"header content", "int a;"},         {"compiler", "nvrtc 13.0"}, {"target", "cubin"},        {"architecture", "sm_90"},
    {"name expression", "f<int>"}};

TEST(CacheKeyTest, IsEqualForEqualParts) {
    EXPECT_EQ(key_of(usual), key_of(usual));
}

// The expected value is the BLAKE2b-256 hash of the label "cache format", its version, and the added label and text, each
// preceded by its length in 8 bytes. Any implementation of BLAKE2b computes it.
TEST(CacheKeyTest, IsACryptographicHash) {
    EXPECT_EQ(CacheKeyBuilder().add("source", "text").key().to_string(),
              "9139fac0eb10dcd63f3dd7963f653a1b5fc8e6bdd0ef9e646212a493c9e793df");
}

TEST(CacheKeyTest, DependsOnEveryPart) {
    std::set<CacheKey> keys = {key_of(usual)};
    std::size_t count = 1;
    for (std::size_t place = 0; place < usual.size(); ++place, count += 4) {
        Parts parts = usual;
        parts[place].second += " ";
        keys.insert(key_of(parts));
        parts[place].second.clear();
        keys.insert(key_of(parts));
        parts[place].first += "s";
        keys.insert(key_of(parts));
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(place));
        keys.insert(key_of(parts));
    }
    EXPECT_EQ(keys.size(), count);
}

TEST(CacheKeyTest, DependsOnTheOrder) {
    Parts parts = usual;
    std::swap(parts[1], parts[2]);
    EXPECT_NE(key_of(parts), key_of(usual));
}

TEST(CacheKeyTest, DependsOnTheBoundariesOfParts) {
    const std::set<CacheKey> keys = {
        key_of({{"a", "bc"}, {"d", "e"}}),          key_of({{"ab", "c"}, {"d", "e"}}), key_of({{"a", "b"}, {"cd", "e"}}),
        key_of({{"a", "bcd"}, {"", "e"}}),          key_of({{"a", "bcde"}}),           key_of({{"", "abcde"}}),
        key_of({{"a", "b"}, {"c", "d"}, {"e", ""}})};
    EXPECT_EQ(keys.size(), 7u);
}

TEST(CacheKeyTest, DependsOnZeroBytes) {
    const std::set<CacheKey> keys = {key_of({{"a", ""}}), key_of({{"a", std::string(1, '\0')}}),
                                     key_of({{"a", std::string(2, '\0')}})};
    EXPECT_EQ(keys.size(), 3u);
}

TEST(CacheKeyTest, DependsOnEveryByteOfALongText) {
    const std::string text(5000, 'x');
    std::set<CacheKey> keys = {key_of({{"source", text}})};
    for (std::size_t place = 0; place < text.size(); ++place) {
        std::string changed = text;
        changed[place] = 'y';
        keys.insert(key_of({{"source", changed}}));
    }
    EXPECT_EQ(keys.size(), text.size() + 1);
}

TEST(CacheKeyTest, IsAvailableBetweenParts) {
    CacheKeyBuilder builder;
    const CacheKey first = builder.add("a", "1").key();
    EXPECT_EQ(builder.key(), first);
    EXPECT_EQ(builder.add("b", "2").key(), key_of({{"a", "1"}, {"b", "2"}}));
    CacheKeyBuilder moved = std::move(builder);
    EXPECT_EQ(moved.key(), key_of({{"a", "1"}, {"b", "2"}}));
}

TEST(CacheKeyTest, ConvertsTo64Digits) {
    EXPECT_EQ(CacheKey{}.to_string(), std::string(64, '0'));
    CacheKey key;
    key.bytes.front() = std::byte{0x0f};
    key.bytes.back() = std::byte{0xa1};
    EXPECT_EQ(key.to_string(), "0f" + std::string(60, '0') + "a1");
}

}  // namespace
}  // namespace cubind::testing
