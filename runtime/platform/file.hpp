// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/descriptor.hpp"
#include "platform/file_handle.hpp"

/// Files and folders. Functions that return an int return 0 or an errno. Those that return a descriptor set errno if it is empty.
/// Opening never blocks, and programs that this process starts do not inherit the descriptors.
namespace CUBIND_NAMESPACE::detail {

// ---- facts ---------------------------------------------------------------------------------------------------------------

/// A point in time, since 1970.
struct FileTime {
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;

    auto operator<=>(const FileTime&) const = default;
};

enum class FileKind { regular, folder, symbolic_link, other };

/// What the system knows about a file.
struct FileStatus {
    FileKind kind = FileKind::other;
    std::uint64_t device = 0;  ///< with `number`, identifies the file on this machine
    std::uint64_t number = 0;
    std::uint64_t size = 0;
    FileTime modified;              ///< the last change of the content
    FileTime changed;               ///< the last change of the content or of these facts
    std::uint32_t owner = 0;        ///< number of a user
    std::uint32_t group = 0;        ///< number of a group
    std::uint32_t permissions = 0;  ///< as chmod has them

    bool is_same_file(const FileStatus& other) const noexcept { return device == other.device && number == other.number; }
};

enum class Links { followed, not_followed };

[[nodiscard]] CUBIND_EXPORT int status_of_path(const char* path, FileStatus& status, Links links = Links::followed) noexcept;
[[nodiscard]] CUBIND_EXPORT int status_of_file(int file, FileStatus& status) noexcept;
/// Does not follow a symbolic link.
[[nodiscard]] CUBIND_EXPORT int status_of_entry(int folder, const char* name, FileStatus& status) noexcept;

/// Returns the user whose permissions this process has.
[[nodiscard]] CUBIND_EXPORT std::uint32_t effective_user() noexcept;

enum class FileUse { read, write, execute };
/// Returns why the process must not use a file in this way, or 0. A process with the permissions of another user writes with
/// those, and reads and executes what its own user may.
[[nodiscard]] CUBIND_EXPORT int access_problem(const char* path, FileUse use) noexcept;

/// Writes the absolute path without symbolic links. Throws std::bad_alloc.
[[nodiscard]] CUBIND_EXPORT int find_real_path(const char* path, std::string& real);

// ---- opening -------------------------------------------------------------------------------------------------------------

[[nodiscard]] CUBIND_EXPORT Descriptor open_to_read(const char* path) noexcept;
[[nodiscard]] CUBIND_EXPORT Descriptor open_folder(const char* path) noexcept;
/// Creates the file if there is none. Each write goes to the end.
[[nodiscard]] CUBIND_EXPORT Descriptor open_to_append(const char* path, unsigned permissions) noexcept;
/// Fails if there is a file.
[[nodiscard]] CUBIND_EXPORT Descriptor create_file(const char* path, unsigned permissions) noexcept;

/// Opens a file of an open folder, but not through a symbolic link.
[[nodiscard]] CUBIND_EXPORT Descriptor open_entry_to_read(int folder, const char* name) noexcept;
enum class Creation { never, if_absent, always };
/// Opens a file of an open folder for reading and writing, but not through a symbolic link. Creates it for this user only. With
/// Creation::always, fails if there is a file.
[[nodiscard]] CUBIND_EXPORT Descriptor open_entry_to_write(int folder, const char* name, Creation creation) noexcept;
/// Opens a file for reading and writing, from its beginning.
[[nodiscard]] CUBIND_EXPORT FileHandle open_to_change(const char* path) noexcept;

// ---- changes -------------------------------------------------------------------------------------------------------------

CUBIND_EXPORT int set_permissions(int file, unsigned permissions) noexcept;
/// Exceeding the limit of the file size is an error and does not end the process.
CUBIND_EXPORT int set_file_size(int file, std::uint64_t size) noexcept;
/// Makes now the time of the last change. The clock is read here because the clock of the file system is too coarse to order two
/// uses.
CUBIND_EXPORT int mark_as_changed(int file) noexcept;
/// Waits until the content is stored, so that it survives a power failure.
CUBIND_EXPORT int store_durably(int file) noexcept;
CUBIND_EXPORT int remove_entry(int folder, const char* name) noexcept;
/// Replaces an existing file.
CUBIND_EXPORT int rename_entry(int folder, const char* from, const char* to) noexcept;
CUBIND_EXPORT int create_folder(const char* path, unsigned permissions) noexcept;

// ---- folders -------------------------------------------------------------------------------------------------------------

/// Adds the names of what a folder contains, in no order. Throws std::bad_alloc.
[[nodiscard]] CUBIND_EXPORT int list_folder(const char* path, std::vector<std::string>& names);
/// Lists an open folder, from its beginning.
[[nodiscard]] CUBIND_EXPORT int list_folder(int folder, std::vector<std::string>& names);

// ---- locks ---------------------------------------------------------------------------------------------------------------

enum class LockAttempt { acquired, held_by_other, impossible };
/// Tries to lock a file against other descriptors. The lock ends when the last copy of the descriptor is closed, also by the end
/// of the process. Some file systems have no locks.
[[nodiscard]] CUBIND_EXPORT LockAttempt try_lock_file(int file) noexcept;
/// Unlocks the file, even if a child process has a copy of the descriptor.
CUBIND_EXPORT void unlock_file(int file) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
