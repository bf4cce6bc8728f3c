// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/in_memory_program_cache.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "program/cached_compile.hpp"

namespace cubind::testing {
namespace {

using namespace cubind;
using namespace cubind::detail;

Compiled example() {
    return {Bytes::copy_of("code", 4), {{"f<int>", "_Z1fIiEvv"}, {"", std::string("a\0b", 3)}}, "a log", PchStatus::created};
}

CacheKey same_key() {
    return {};
}

TEST(CachedCompileTest, RestoresAPackedResult) {
    const Bytes packed = pack(example());
    EXPECT_EQ(std::memcmp(packed.data(), "code", 4), 0) << "the code is first";
    const auto found = unpack(packed);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->code, example().code);
    EXPECT_EQ(found->code.data(), packed.data()) << "the bytes are shared";
    EXPECT_EQ(found->symbol_mapping, example().symbol_mapping);
    EXPECT_EQ(found->log, "a log");
    EXPECT_EQ(found->pch_status, PchStatus::none) << "a result from a cache creates no header";
}

TEST(CachedCompileTest, RejectsTruncatedBytes) {
    const Bytes packed = pack(example());
    for (std::size_t size = 0; size < packed.size(); ++size)
        EXPECT_FALSE(unpack(Bytes::copy_of(packed.data(), size)).has_value()) << size;
}

/// A cache that returns bytes that no compile has stored.
class ForgedCache final : public ProgramCache {
private:
    std::optional<Bytes> do_get(const CacheKey&) override { return Bytes::copy_of("forged bytes", 12); }
    void do_put(const CacheKey&, const Bytes& program) override { last_put = program; }
    void do_erase(const CacheKey&) override {}
    void do_clear() override {}
    bool do_contains(const CacheKey&) const override { return true; }
    std::size_t do_count() const override { return 0; }
    std::size_t do_size_bytes() const override { return 0; }

public:
    Bytes last_put;
};

TEST(CachedCompileTest, CompilesIfAnEntryCannotBeRead) {
    ForgedCache cache;
    EXPECT_EQ(compile_cached(cache, {}, example, same_key).code, example().code);
    EXPECT_EQ(cache.last_put, pack(example()));
}

TEST(CachedCompileTest, CompilesOnce) {
    InMemoryProgramCache cache;
    int compilations = 0;
    const auto compile = [&] {
        ++compilations;
        return example();
    };
    EXPECT_EQ(compile_cached(cache, {}, compile, same_key).log, "a log");
    EXPECT_EQ(compile_cached(cache, {}, compile, same_key).log, "a log");
    EXPECT_EQ(compilations, 1);
    EXPECT_EQ(compile_cached(cache, {}, compile, same_key).symbol_mapping, example().symbol_mapping);
}

TEST(CachedCompileTest, StoresNothingIfTheInputsChangeDuringTheCompilation) {
    InMemoryProgramCache cache;
    const auto other_key = [] { return CacheKeyBuilder().add("file", "changed").key(); };
    EXPECT_EQ(compile_cached(cache, {}, example, other_key).code, example().code);
    EXPECT_EQ(cache.size_bytes(), 0u);
}

}  // namespace
}  // namespace cubind::testing
