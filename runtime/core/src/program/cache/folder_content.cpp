// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/cache/folder_content.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>
#include <utility>

#include "files/random_numbers.hpp"
#include "platform/file.hpp"
#include "program/cache/compile_lock.hpp"
#include "program/cache/entry_file.hpp"

namespace CUBIND_NAMESPACE::detail {

// ---- names of files ------------------------------------------------------------------------------------------------------

namespace {

/// The purpose of a file, which follows from its name: the digits of the key and an ending. A foreign file does not belong to
/// the cache.
enum class Purpose { entry, lock, temporary, foreign };

constexpr std::string_view entry_ending = ".program";
constexpr std::string_view lock_ending = ".lock";
constexpr std::string_view temporary_ending = ".tmp";
constexpr std::size_t key_length = 2 * sizeof(CacheKey::bytes);

bool is_digit(char each) noexcept {
    return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f');
}

Purpose purpose_of(std::string_view name) noexcept {
    if (name.size() < key_length || !std::all_of(name.begin(), name.begin() + key_length, is_digit)) return Purpose::foreign;
    const std::string_view ending = name.substr(key_length);
    if (ending == entry_ending) return Purpose::entry;
    if (ending == lock_ending) return Purpose::lock;
    if (ending.size() == 1 + random_digit_count + temporary_ending.size() && ending.front() == '.' &&
        ending.ends_with(temporary_ending)) {
        return Purpose::temporary;
    }
    return Purpose::foreign;
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

/// Orders entries by their last use. A time in the future was written before the clock was set back, so it counts as the
/// earliest. Clocks of machines that share the folder may differ a little.
class EarlierUse {
public:
    EarlierUse() : future_(std::time(nullptr) + 60) {}

    bool operator()(const FolderEntry& left, const FolderEntry& right) const { return order(left) < order(right); }

private:
    std::pair<bool, FileTime> order(const FolderEntry& entry) const {
        return {entry.last_use.seconds <= future_, entry.last_use};
    }

    std::time_t future_;
};

}  // namespace

FolderContent content_of(int folder) {
    FolderContent content;
    std::vector<std::string> names;
    if (const int error = list_folder(folder, names)) {
        throw std::system_error(error, std::generic_category(), "cannot read the folder of the cache");
    }
    for (std::string& name : names) {
        const Purpose purpose = purpose_of(name);
        FileStatus status;
        if (purpose == Purpose::foreign || status_of_entry(folder, name.c_str(), status) != 0) continue;
        auto& files = purpose == Purpose::entry ? content.entries : content.others;
        files.push_back({std::move(name), status.size, status.modified, can_be_entry(status)});
        content.size += status.size;
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
        const int error = remove_entry(folder, each.name.c_str());
        if (error == 0) {
            ++count;
        } else if (error != ENOENT) {
            continue;
        }
        content.size -= each.size;
    }
    return count;
}

}  // namespace CUBIND_NAMESPACE::detail
