// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/cache_folder.hpp"

#include <cubind/detail/environment.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace CUBIND_NAMESPACE::detail {
namespace {

/// Returns the absolute path in an environment variable, else an empty string.
std::string folder_from_environment(const char* variable) {
    const char* value = environment_variable(variable);
    return value != nullptr && value[0] == '/' ? value : "";
}

/// Creates the folder and its parents. A failure shows when the folder is opened.
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
    std::string text = "the folder ";
    text.append(path);
    if (status.st_uid != ::geteuid()) {
        text.append(" belongs to user ").append(std::to_string(status.st_uid)).append(", not to user ");
        text.append(std::to_string(::geteuid())).append("; choose another folder for the cache");
    } else {
        text.append(" can be written by others (mode ")
            .append(octal(status.st_mode))
            .append("); withdraw that permission: chmod go-w ");
        text.append(path);
    }
    return text;
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
    Descriptor folder(::open(path.c_str(), flags));
    if (!folder && errno == ENOENT) {
        if (!create) return {};
        create_folders(path);
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
