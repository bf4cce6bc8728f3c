// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/cache/folder_content.hpp"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <tuple>

#include "files/random_numbers.hpp"
#include "program/cache/compile_lock.hpp"

namespace CUBIND_NAMESPACE::detail {

// ---- names of files ------------------------------------------------------------------------------------------------------

namespace {

/// The purpose of a file, which follows from its name: the digits of the key and an ending. A foreign file does not belong to
/// the cache.
enum class FileKind { entry, lock, temporary, foreign };

constexpr std::string_view entry_ending = ".program";
constexpr std::string_view lock_ending = ".lock";
constexpr std::string_view temporary_ending = ".tmp";
constexpr std::size_t key_length = 2 * sizeof(CacheKey::bytes);

bool is_digit(char each) noexcept {
    return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f');
}

FileKind kind_of(std::string_view name) noexcept {
    if (name.size() < key_length || !std::all_of(name.begin(), name.begin() + key_length, is_digit)) return FileKind::foreign;
    const std::string_view ending = name.substr(key_length);
    if (ending == entry_ending) return FileKind::entry;
    if (ending == lock_ending) return FileKind::lock;
    if (ending.size() == 1 + random_digit_count + temporary_ending.size() && ending.front() == '.' &&
        ending.ends_with(temporary_ending)) {
        return FileKind::temporary;
    }
    return FileKind::foreign;
}

}  // namespace

std::string entry_name(const CacheKey& key) {
    return key.to_string().append(entry_ending);
}

std::string lock_name(const CacheKey& key) {
    return key.to_string().append(lock_ending);
}

std::string temporary_name(const CacheKey& key) {
    return key.to_string().append(".").append(random_digits()).append(temporary_ending);
}

// ---- content -------------------------------------------------------------------------------------------------------------

namespace {

struct CloseStream {
    void operator()(DIR* stream) const noexcept { ::closedir(stream); }
};

/// Opens a directory stream with its own position. A stream on a copy of the descriptor would share the position.
std::unique_ptr<DIR, CloseStream> open_stream(int folder) {
    const int number = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    std::unique_ptr<DIR, CloseStream> stream(number < 0 ? nullptr : ::fdopendir(number));
    if (!stream) throw std::system_error(errno, std::generic_category(), "cannot read the folder of the cache");
    return stream;
}

/// Orders entries by their last use. A time in the future was written before the clock was set back, so it counts as the
/// earliest. Clocks of machines that share the folder may differ a little.
class EarlierUse {
public:
    EarlierUse() : future_(std::time(nullptr) + 60) {}

    bool operator()(const FolderEntry& left, const FolderEntry& right) const { return order(left) < order(right); }

private:
    std::tuple<bool, std::time_t, long> order(const FolderEntry& entry) const {
        return {entry.last_use.tv_sec <= future_, entry.last_use.tv_sec, entry.last_use.tv_nsec};
    }

    std::time_t future_;
};

}  // namespace

FolderContent content_of(int folder) {
    FolderContent content;
    const auto stream = open_stream(folder);
    while (const dirent* each = ::readdir(stream.get())) {
        const FileKind kind = kind_of(each->d_name);
        struct stat status;
        if (kind == FileKind::foreign || ::fstatat(folder, each->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
        const auto size = static_cast<std::size_t>(status.st_size);
        auto& files = kind == FileKind::entry ? content.entries : content.others;
        files.push_back({each->d_name, size, status.st_mtim});
        content.size += size;
    }
    return content;
}

std::uint64_t trim(int folder, std::size_t max_size, const std::string& replaced) {
    FolderContent content = content_of(folder);
    for (const FolderEntry& each : content.others) {
        if (remove_if_unlocked(folder, each.name)) content.size -= each.size;
    }
    std::uint64_t count = 0;
    std::sort(content.entries.begin(), content.entries.end(), EarlierUse());
    for (const FolderEntry& each : content.entries) {
        if (each.name == replaced) content.size -= each.size;
    }
    for (const FolderEntry& each : content.entries) {
        if (content.size <= max_size) break;
        if (each.name == replaced) continue;
        // If the file no longer exists, another process has removed it.
        if (::unlinkat(folder, each.name.c_str(), 0) == 0) {
            ++count;
        } else if (errno != ENOENT) {
            continue;
        }
        content.size -= each.size;
    }
    return count;
}

}  // namespace CUBIND_NAMESPACE::detail
