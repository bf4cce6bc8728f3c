// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/cache/cache_folder.hpp"

#include <climits>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>

#include "errors/misuse.hpp"
#include "platform/environment.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

/// Returns the absolute path in an environment variable, else an empty string.
std::string folder_from_environment(const char* variable) {
    const char* value = environment_variable(variable);
    return value != nullptr && value[0] == '/' ? value : "";
}

/// Creates the folder and its parents. Reports no failure, because opening the folder reports it.
void create_folders(const std::string& path) {
    for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
        ::mkdir(path.substr(0, end).c_str(), 0700);
    }
    ::mkdir(path.c_str(), 0700);
}

std::string octal(mode_t mode) {
    std::string digits;
    for (mode_t rest = mode & 07777; rest != 0; rest >>= 3) digits.insert(digits.begin(), static_cast<char>('0' + (rest & 7)));
    return digits.insert(digits.begin(), '0'), digits;
}

std::string reason_not_private(const std::string& path, const struct stat& status) {
    if (status.st_uid != ::geteuid()) {
        return concat("the folder ", path, " belongs to user ", status.st_uid, ", not to user ", ::geteuid(),
                      "; choose another folder for the cache");
    }
    return concat("the folder ", path, " can be written by others (mode ", octal(status.st_mode),
                  "); withdraw that permission: chmod go-w ", path);
}

// ---- parents -------------------------------------------------------------------------------------------------------------

bool is_owned_by_user_or_root(const struct stat& status) noexcept {
    return status.st_uid == ::geteuid() || status.st_uid == 0;
}

/// Returns how other users could replace the entries of a parent of the folder, or an empty string if they cannot. In a sticky
/// folder, such as /tmp, only the owner of an entry can replace it.
std::string reason_not_safe(const std::string& path, const struct stat& status) {
    if (!is_owned_by_user_or_root(status)) {
        return concat(path, ", which contains the folder of the cache, belongs to user ", status.st_uid, ", not to user ",
                      ::geteuid(), " or root; choose another folder for the cache");
    }
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) == 0 || (status.st_mode & S_ISVTX) != 0) return {};
    return concat(path, ", which contains the folder of the cache, can be written by others (mode ", octal(status.st_mode),
                  "); withdraw that permission, chmod go-w ", path, ", or choose another folder for the cache");
}

std::string target_of(const std::string& link) {
    std::string target(PATH_MAX, '\0');
    const ssize_t size = ::readlink(link.c_str(), target.data(), target.size());
    target.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return target;
}

/// Returns how other users could replace the folder by changing one of its parents, or an empty string if they cannot. Starts at
/// the root, so that no other user can change a part of the path that has been checked. Stops without a reason at a part that
/// does not exist or is no folder.
std::string reason_not_safe_above(const std::string& path) {
    constexpr int max_links = 40;  // the limit of Linux
    std::string parent;            // has no symbolic links; empty means the root
    std::string rest = path;
    for (int links = 0;;) {
        struct stat status;
        if (::lstat(parent.empty() ? "/" : parent.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return {};
        if (std::string reason = reason_not_safe(parent.empty() ? "/" : parent, status); !reason.empty()) return reason;

        rest.erase(0, rest.find_first_not_of('/'));
        const std::string name = rest.substr(0, rest.find('/'));
        rest.erase(0, name.size());
        if (name.empty()) return {};
        if (name == ".") continue;
        if (name == "..") {
            parent.erase(std::min(parent.rfind('/'), parent.size()));
            continue;
        }
        std::string next = concat(parent, "/", name);
        if (::lstat(next.c_str(), &status) != 0) return {};
        if (S_ISLNK(status.st_mode)) {
            if (!is_owned_by_user_or_root(status)) return reason_not_safe(next, status);
            if (++links > max_links) return {};
            const std::string target = target_of(next);
            if (target.starts_with('/')) parent.clear();
            rest.insert(0, concat(target, "/"));
        } else {
            if (rest.find_first_not_of('/') == std::string::npos) return {};  // the folder itself
            parent = std::move(next);
        }
    }
}

}  // namespace

std::string default_cache_folder() {
    std::string base = folder_from_environment("XDG_CACHE_HOME");
    if (base.empty()) {
        base = folder_from_environment("HOME");
        if (base.empty()) return base;
        base.append("/.cache");
    }
    return base.append("/cubind/programs");
}

bool is_private(const struct stat& status) noexcept {
    return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

OpenedFolder open_cache_folder(const std::string& path, bool create) {
    if (path.empty()) {
        return {Descriptor(),
                "neither XDG_CACHE_HOME nor HOME contains an absolute path; set one of them or choose a folder for the cache"};
    }
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    // This check precedes the creation of a folder, because the home of another user must not receive a folder of this user.
    if (std::string reason = reason_not_safe_above(path); !reason.empty()) return {Descriptor(), std::move(reason)};
    Descriptor folder(::open(path.c_str(), flags));
    if (!folder && errno == ENOENT) {
        if (!create) return {};
        create_folders(path);
        // Another user may have created a part of the path first.
        if (std::string reason = reason_not_safe_above(path); !reason.empty()) return {Descriptor(), std::move(reason)};
        folder = Descriptor(::open(path.c_str(), flags));
    }
    struct stat status;
    if (!folder || ::fstat(folder.number(), &status) != 0) {
        const int error = errno;
        return {Descriptor(), std::string("the folder ").append(path).append(": ").append(std::strerror(error))};
    }
    if (!is_private(status)) return {Descriptor(), reason_not_private(path, status)};
    return {std::move(folder), {}};
}

}  // namespace CUBIND_NAMESPACE::detail
