// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program_cache.hpp>

#include <string>

namespace cubind {

/// How a FileProgramCache is set up.
struct FileProgramCacheOptions {
    /// The folder; made when it is first needed, with mode 0700. Empty: `$XDG_CACHE_HOME/cubind/programs`, or without that variable
    /// `$HOME/.cache/cubind/programs`.
    std::string directory{};
    /// Bytes of all files of programs together. The least recently used programs go when there are more.
    std::size_t max_size = std::size_t{512} << 20;
};

/// Compiled programs on disk, one file per key, shared by all processes that use the folder. Files appear whole or not at all, and
/// each holds a checksum over its key and content that is verified on every read: a file that is truncated, changed, renamed, of
/// another owner or writable by others is removed and a miss. A folder of another owner or writable by others is not used, because
/// who writes there decides what runs here. When a disk is full or read-only, or HOME is missing, nothing is kept, and the cleanup
/// handler is told why. A process that is killed leaves no lock behind. Any number of threads may use it at once.
///
///     FileProgramCache cache({.max_size = 64 << 20});
///     Bytes cubin = cache.get_or_compile(key, [&] { return compile(source); });
///
/// Every put looks at all files of the folder, about two microseconds for each.
class FileProgramCache final : public ProgramCache {
public:
    explicit FileProgramCache(FileProgramCacheOptions options = {});
    ~FileProgramCache() override;

    /// The folder as an absolute path; empty when there is none, because the environment names none.
    const std::string& directory() const noexcept;

private:
    std::optional<Bytes> do_get(const CacheKey& key) override;
    void do_put(const CacheKey& key, const Bytes& program) override;
    void do_erase(const CacheKey& key) override;
    void do_clear() override;
    std::size_t do_size_bytes() const override;
    std::shared_ptr<void> lock_compile(const CacheKey& key, std::chrono::steady_clock::time_point deadline) override;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cubind
