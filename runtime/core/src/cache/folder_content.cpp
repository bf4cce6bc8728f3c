// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/folder_content.hpp"

#include "cache/compile_lock.hpp"
#include "cache/descriptor.hpp"
#include "cache/file_names.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <tuple>

namespace cubind::detail {
namespace {

constexpr std::time_t leftover_after_seconds = 3600;

struct CloseStream {
    void operator()(DIR* stream) const noexcept { ::closedir(stream); }
};

/// A stream with a position of its own, which a copy of the descriptor would not have.
std::unique_ptr<DIR, CloseStream> open_stream(int folder) {
    const int number = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    std::unique_ptr<DIR, CloseStream> stream(number < 0 ? nullptr : ::fdopendir(number));
    if (!stream) throw std::system_error(errno, std::generic_category(), "the cache's folder cannot be read");
    return stream;
}

void remove_leftover(int folder, const std::string& name) noexcept {
    if (kind_of(name) == FileKind::lock) {
        remove_free_lock(folder, name);
    } else {
        ::unlinkat(folder, name.c_str(), 0);
    }
}

}  // namespace

FolderContent content_of(int folder) {
    FolderContent content;
    const auto stream = open_stream(folder);
    const std::time_t now = std::time(nullptr);
    while (const dirent* each = ::readdir(stream.get())) {
        const FileKind kind = kind_of(each->d_name);
        struct stat status;
        if (kind == FileKind::foreign || ::fstatat(folder, each->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (kind == FileKind::entry) {
            const auto size = static_cast<std::size_t>(status.st_size);
            content.entries.push_back({each->d_name, size, status.st_mtim});
            content.size += size;
        } else if (now - status.st_mtim.tv_sec > leftover_after_seconds) {
            content.leftovers.push_back(each->d_name);
        }
    }
    return content;
}

std::uint64_t trim(int folder, std::size_t max_size) {
    FolderContent content = content_of(folder);
    for (const std::string& name : content.leftovers) remove_leftover(folder, name);
    if (content.size <= max_size) return 0;

    std::sort(content.entries.begin(), content.entries.end(), [](const FolderEntry& left, const FolderEntry& right) {
        return std::tie(left.last_use.tv_sec, left.last_use.tv_nsec) < std::tie(right.last_use.tv_sec, right.last_use.tv_nsec);
    });
    std::uint64_t count = 0;
    for (const FolderEntry& each : content.entries) {
        if (content.size <= max_size) break;
        // Where it is gone, another process made the same room.
        if (::unlinkat(folder, each.name.c_str(), 0) == 0) {
            ++count;
        } else if (errno != ENOENT) {
            continue;
        }
        content.size -= each.size;
    }
    return count;
}

}  // namespace cubind::detail
