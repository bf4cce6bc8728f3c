// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/private_state.hpp>
#include <cubind/core/program/program_cache.hpp>

namespace CUBIND_NAMESPACE {

/// A cache of compiled programs in the memory of this process. A hit shares the bytes without a copy. When all programs
/// together exceed `max_size`, the least recently used ones are removed. Any number of threads may use it at once.
///
///     InMemoryProgramCache cache(64 << 20);
///     Bytes cubin = cache.get_or_compile(key, [&] { return compile(source); });
class CUBIND_EXPORT InMemoryProgramCache final : public ProgramCache {
public:
    /// The default of `max_size` in bytes.
    CUBIND_HIDDEN static constexpr std::size_t default_max_size = std::size_t{256} << 20;

    /// Creates a cache for `max_size` bytes of programs; 0 stores none.
    explicit InMemoryProgramCache(std::size_t max_size = default_max_size);
    /// Destroys the cache. Programs that were returned remain valid.
    ~InMemoryProgramCache() override;

private:
    std::optional<Bytes> do_get(const CacheKey& key) override;
    void do_put(const CacheKey& key, const Bytes& program) override;
    void do_erase(const CacheKey& key) override;
    void do_clear() override;
    bool do_contains(const CacheKey& key) const override;
    std::size_t do_count() const override;
    std::size_t do_size_bytes() const override;

    struct Entries;
    detail::PrivateState<Entries> entries_;
};

}  // namespace CUBIND_NAMESPACE
