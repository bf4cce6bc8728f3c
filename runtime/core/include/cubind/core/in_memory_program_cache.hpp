// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program_cache.hpp>

namespace cubind {

/// Compiled programs in memory, for this process. A hit shares the bytes and copies nothing. When the programs are larger than
/// `max_size` together, the least recently used ones go. Any number of threads may use it at once.
///
///     InMemoryProgramCache cache(64 << 20);
///     Bytes cubin = cache.get_or_compile(key, [&] { return compile(source); });
class InMemoryProgramCache final : public ProgramCache {
public:
    static constexpr std::size_t default_max_size = std::size_t{256} << 20;

    /// `max_size` in bytes of programs; 0 keeps none.
    explicit InMemoryProgramCache(std::size_t max_size = default_max_size);
    ~InMemoryProgramCache() override;

private:
    std::optional<Bytes> do_get(const CacheKey& key) override;
    void do_put(const CacheKey& key, const Bytes& program) override;
    void do_erase(const CacheKey& key) override;
    void do_clear() override;
    std::size_t do_size_bytes() const override;

    struct Entries;
    std::unique_ptr<Entries> entries_;
};

}  // namespace cubind
