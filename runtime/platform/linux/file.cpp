// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/file.hpp"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/write_signals.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

int error_of(int result) noexcept {
    return result == 0 ? 0 : errno;
}

struct CloseFolder {
    void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

int list(const Folder& folder, std::vector<std::string>& names) {
    if (folder == nullptr) return errno;
    while (const dirent* const entry = ::readdir(folder.get())) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") names.emplace_back(name);
    }
    return 0;
}

}  // namespace

// ---- facts ---------------------------------------------------------------------------------------------------------------

namespace {

FileStatus neutral(const struct stat& status) noexcept {
    const auto time = [](const timespec& from) { return FileTime{from.tv_sec, from.tv_nsec}; };
    return {.kind = S_ISREG(status.st_mode)   ? FileKind::regular
                    : S_ISDIR(status.st_mode) ? FileKind::folder
                    : S_ISLNK(status.st_mode) ? FileKind::symbolic_link
                                              : FileKind::other,
            .device = status.st_dev,
            .number = status.st_ino,
            .size = static_cast<std::uint64_t>(status.st_size),
            .modified = time(status.st_mtim),
            .changed = time(status.st_ctim),
            .owner = status.st_uid,
            .group = status.st_gid,
            .permissions = status.st_mode & 07777};
}

}  // namespace

int status_of_path(const char* path, FileStatus& status, Links links) noexcept {
    struct stat found;
    const int error = error_of(links == Links::followed ? ::stat(path, &found) : ::lstat(path, &found));
    if (error == 0) status = neutral(found);
    return error;
}

int status_of_file(int file, FileStatus& status) noexcept {
    struct stat found;
    const int error = error_of(::fstat(file, &found));
    if (error == 0) status = neutral(found);
    return error;
}

int status_of_entry(int folder, const char* name, FileStatus& status) noexcept {
    struct stat found;
    const int error = error_of(::fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW));
    if (error == 0) status = neutral(found);
    return error;
}

std::uint32_t effective_user() noexcept {
    return ::geteuid();
}

int access_problem(const char* path, FileUse use) noexcept {
    if (use == FileUse::write) return error_of(::faccessat(AT_FDCWD, path, W_OK, AT_EACCESS));
    return error_of(::access(path, use == FileUse::execute ? X_OK : R_OK));
}

int find_real_path(const char* path, std::string& real) {
    const std::unique_ptr<char, decltype(&std::free)> found(::realpath(path, nullptr), std::free);
    if (found == nullptr) return errno;
    real = found.get();
    return 0;
}

// ---- opening -------------------------------------------------------------------------------------------------------------

Descriptor open_to_read(const char* path) noexcept {
    return Descriptor(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

Descriptor open_folder(const char* path) noexcept {
    return Descriptor(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

Descriptor open_to_append(const char* path, unsigned permissions) noexcept {
    return beside_streams(::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, permissions));
}

Descriptor create_file(const char* path, unsigned permissions) noexcept {
    return beside_streams(::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions));
}

Descriptor open_entry_to_read(int folder, const char* name) noexcept {
    return Descriptor(::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
}

Descriptor open_entry_to_write(int folder, const char* name, Creation creation) noexcept {
    const int flags = creation == Creation::never ? 0 : creation == Creation::if_absent ? O_CREAT : O_CREAT | O_EXCL;
    return beside_streams(::openat(folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0600));
}

FileHandle open_to_change(const char* path) noexcept {
    Descriptor file = beside_streams(::open(path, O_RDWR | O_CLOEXEC));
    std::FILE* const stream = file ? ::fdopen(file.number(), "r+b") : nullptr;
    if (stream != nullptr) file.release();
    return FileHandle(stream);
}

// ---- changes -------------------------------------------------------------------------------------------------------------

int set_permissions(int file, unsigned permissions) noexcept {
    return error_of(::fchmod(file, permissions));
}

int set_file_size(int file, std::uint64_t size) noexcept {
    WithoutWriteSignals signals;
    const int error = error_of(::ftruncate(file, static_cast<off_t>(size)));
    signals.has_failed = error != 0;
    return error;
}

int mark_as_changed(int file) noexcept {
    timespec times[2];
    ::clock_gettime(CLOCK_REALTIME, &times[0]);
    times[1] = times[0];
    return error_of(::futimens(file, times));
}

int store_durably(int file) noexcept {
    return error_of(::fsync(file));
}

int remove_entry(int folder, const char* name) noexcept {
    return error_of(::unlinkat(folder, name, 0));
}

int rename_entry(int folder, const char* from, const char* to) noexcept {
    return error_of(::renameat(folder, from, folder, to));
}

int create_folder(const char* path, unsigned permissions) noexcept {
    return error_of(::mkdir(path, permissions));
}

// ---- folders -------------------------------------------------------------------------------------------------------------

int list_folder(const char* path, std::vector<std::string>& names) {
    return list(Folder(::opendir(path)), names);
}

// A stream on a copy of the descriptor would share the position.
int list_folder(int folder, std::vector<std::string>& names) {
    Descriptor opened(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const Folder stream(opened ? ::fdopendir(opened.number()) : nullptr);
    if (stream != nullptr) opened.release();
    return list(stream, names);
}

// ---- locks ---------------------------------------------------------------------------------------------------------------

LockAttempt try_lock_file(int file) noexcept {
    while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return LockAttempt::held_by_other;
        if (errno != EINTR) return LockAttempt::impossible;
    }
    return LockAttempt::acquired;
}

void unlock_file(int file) noexcept {
    ::flock(file, LOCK_UN);
}

}  // namespace CUBIND_NAMESPACE::detail
