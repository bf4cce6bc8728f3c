// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/private_state.hpp>
#include <cubind/core/program/program_cache.hpp>

#include <string>

namespace CUBIND_NAMESPACE {

/// The properties of a FileProgramCache.
struct FileProgramCacheOptions {
    /// The folder, which is created at first use with mode 0700. An empty string selects `$XDG_CACHE_HOME/cubind/programs`, or
    /// `$HOME/.cache/cubind/programs` if XDG_CACHE_HOME is not set.
    std::string directory{};
    /// The maximum size of all files together in bytes. The least recently used programs are removed when it is
    /// exceeded.
    std::size_t max_size = std::size_t{512} << 20;
};

/// A cache of compiled programs on disk, one file per key, shared by all processes that use the folder. Files are created
/// atomically. Each has a checksum over its key and content, which is verified at every read: a file that is truncated,
/// changed, renamed, of a foreign owner or writable by others is removed and counts as a miss. Because the programs run in this
/// process, a folder is used only if it and each folder above it belong to this user, to root, or to a user who can replace the
/// executable file of this process, and if others cannot write to them; a user's private group may. In a folder that belongs to
/// another user, such as one that root has filled in the image of a container, programs are read and nothing is changed. If the
/// disk is full or read-only, or HOME is missing, the cache stores nothing and reports the reason to the cleanup handler. A
/// process that is killed leaves no lock behind. Any number of threads may use it at once.
///
///     FileProgramCache cache({.max_size = 64 << 20});
///     Bytes cubin = cache.get_or_compile(key, [&] { return compile(source); });
///
/// contains() and count() read the status of files: they know files with the name of a key that are regular, have a trusted owner
/// and are at least as long as the header of an entry. So a truncated or changed file counts until a get() of its key finds the
/// damage and removes it. Removed programs, locks, files that are being written and files with other names do not count. Every
/// put() reads the status of all files of the folder twice, before and after it writes, which takes about two microseconds per
/// file.
class CUBIND_EXPORT FileProgramCache final : public ProgramCache {
public:
    /// Creates a cache without accessing the folder yet.
    explicit FileProgramCache(FileProgramCacheOptions options = {});
    /// Destroys the object. The files remain.
    ~FileProgramCache() override;

    /// Returns the folder as an absolute path, or an empty string if the environment names none.
    [[nodiscard]] const std::string& directory() const noexcept;

private:
    std::optional<Bytes> do_get(const CacheKey& key) override;
    void do_put(const CacheKey& key, const Bytes& program) override;
    void do_erase(const CacheKey& key) override;
    void do_clear() override;
    bool do_contains(const CacheKey& key) const override;
    std::size_t do_count() const override;
    std::size_t do_size_bytes() const override;
    std::shared_ptr<void> lock_compile(const CacheKey& key, std::chrono::steady_clock::time_point deadline) override;

    struct State;
    detail::PrivateState<State> state_;
};

}  // namespace CUBIND_NAMESPACE
