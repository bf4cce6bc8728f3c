// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/file_program_cache.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"
#include "program/cache/cache_folder.hpp"
#include "program/cache/compile_lock.hpp"
#include "program/cache/entry_file.hpp"
#include "program/cache/folder_content.hpp"

namespace CUBIND_NAMESPACE {

struct FileProgramCache::State {
    State(std::string folder, std::size_t max_size) : folder(std::move(folder)), max_size(max_size) {}

    /// Opens the folder. Each operation does so, because the folder may have been removed, or its permissions may have been
    /// changed.
    detail::OpenedFolder open(bool create) {
        detail::OpenedFolder opened = detail::open_cache_folder(folder, create);
        if (!opened.problem.empty()) detail::report_cleanup_failure_once("use a program cache", opened.problem, opened.problem);
        return opened;
    }

    /// Opens the folder to write to it. Returns no descriptor if it belongs to another user, such as the folder of an image of a
    /// container. That is not an error: such a cache is read only.
    detail::Descriptor open_own(bool create) {
        detail::OpenedFolder opened = open(create);
        return opened.is_own ? std::move(opened.descriptor) : detail::Descriptor();
    }

    /// Opens the folder to remove entries. Reports that it belongs to another user.
    detail::Descriptor open_to_remove() {
        detail::OpenedFolder opened = open(false);
        if (opened.descriptor && !opened.is_own) {
            const std::string why = "the folder " + folder + " belongs to another user, so its programs are only read";
            detail::report_cleanup_failure_once("remove stored programs", why, why);
        }
        return opened.is_own ? std::move(opened.descriptor) : detail::Descriptor();
    }

    /// Reports the failure of a file, once for each error of the folder: a full disk affects every program.
    void report_file(const char* what, const std::string& name, int error) const {
        const char* const text = std::strerror(error);
        detail::report_cleanup_failure_once(what, detail::concat(folder, ": ", text),
                                            detail::concat(folder, "/", name, ": ", text));
    }

    void remove(int opened, const std::string& name) const {
        if (::unlinkat(opened, name.c_str(), 0) != 0 && errno != ENOENT) report_file("remove a stored program", name, errno);
    }

    const std::string folder;
    const std::size_t max_size;
};

namespace {

/// Returns an absolute path, so that a change of the working directory does not matter.
std::string absolute(const std::string& folder) {
    detail::check_no_nul("FileProgramCacheOptions::directory", folder);
    return folder.empty() ? detail::default_cache_folder("programs") : std::filesystem::absolute(folder).string();
}

}  // namespace

FileProgramCache::FileProgramCache(FileProgramCacheOptions options)
    : state_(new State(absolute(options.directory), options.max_size)) {}

FileProgramCache::~FileProgramCache() = default;

const std::string& FileProgramCache::directory() const noexcept {
    return state_->folder;
}

std::optional<Bytes> FileProgramCache::do_get(const CacheKey& key) {
    const detail::OpenedFolder folder = state_->open(false);
    if (!folder.descriptor) return {};
    const std::string name = detail::entry_name(key);
    detail::ReadEntry entry = detail::read_entry(folder.descriptor.number(), name, key);
    switch (entry.state) {
        case detail::EntryState::intact:
            return std::move(entry.program);
        case detail::EntryState::damaged:
            count_damaged();
            if (folder.is_own) state_->remove(folder.descriptor.number(), name);
            break;
        case detail::EntryState::unreadable:
            state_->report_file("read a stored program", name, entry.error);
            break;
        case detail::EntryState::absent:
            break;
    }
    return {};
}

void FileProgramCache::do_put(const CacheKey& key, const Bytes& program) {
    const detail::Descriptor folder = state_->open_own(true);
    if (!folder) return;
    const std::string name = detail::entry_name(key);
    const std::size_t size = detail::entry_file_size(program);
    if (size > state_->max_size) return state_->remove(folder.number(), name);
    // Trims before the write, so that the limit holds even if all writers are killed, and again after the write, because other
    // processes may have written.
    count_evictions(detail::trim(folder.number(), state_->max_size - size, name));
    if (const int error = detail::write_entry(folder.number(), name, key, program); error != 0) {
        return state_->report_file("store a program", name, error);
    }
    count_evictions(detail::trim(folder.number(), state_->max_size));
}

void FileProgramCache::do_erase(const CacheKey& key) {
    if (const detail::Descriptor folder = state_->open_to_remove()) state_->remove(folder.number(), detail::entry_name(key));
}

void FileProgramCache::do_clear() {
    const detail::Descriptor folder = state_->open_to_remove();
    if (!folder) return;
    for (const detail::FolderEntry& each : detail::content_of(folder.number()).entries)
        state_->remove(folder.number(), each.name);
    detail::trim(folder.number(), state_->max_size);
}

bool FileProgramCache::do_contains(const CacheKey& key) const {
    const detail::Descriptor folder = state_->open(false).descriptor;
    detail::FileStatus status;
    return folder && detail::status_of_entry(folder.number(), detail::entry_name(key).c_str(), status) == 0 &&
           detail::can_be_entry(status);
}

std::size_t FileProgramCache::do_count() const {
    const detail::Descriptor folder = state_->open(false).descriptor;
    if (!folder) return 0;
    const auto entries = detail::content_of(folder.number()).entries;
    return static_cast<std::size_t>(
        std::count_if(entries.begin(), entries.end(), [](const auto& each) { return each.is_usable; }));
}

std::size_t FileProgramCache::do_size_bytes() const {
    const detail::Descriptor folder = state_->open(false).descriptor;
    return folder ? detail::content_of(folder.number()).size : 0;
}

std::shared_ptr<void> FileProgramCache::lock_compile(const CacheKey& key, std::chrono::steady_clock::time_point deadline) {
    detail::Descriptor folder = state_->open_own(true);
    if (!folder) return nullptr;
    return detail::CompileLock::acquire(std::move(folder), detail::lock_name(key), deadline);
}

}  // namespace CUBIND_NAMESPACE
