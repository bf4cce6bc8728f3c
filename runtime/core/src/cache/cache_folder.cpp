// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/cache_folder.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace cubind::detail {
namespace {

/// An absolute path from the environment; others do not count.
std::string folder_from_environment(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && value[0] == '/' ? value : "";
}

/// Makes the folder and those above it; what cannot be made shows when it is opened.
void make_folders(const std::string& path) {
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

std::string why_not_private(const std::string& path, const struct stat& status) {
    std::string text = "the folder ";
    text.append(path);
    if (status.st_uid != ::geteuid()) {
        text.append(" belongs to user ").append(std::to_string(status.st_uid)).append(", not to user ");
        text.append(std::to_string(::geteuid())).append("; give the cache a folder of its own");
    } else {
        text.append(" can be written by others (mode ").append(octal(status.st_mode)).append("); take that away: chmod go-w ");
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

OpenedFolder open_cache_folder(const std::string& path, bool make) {
    if (path.empty()) {
        return {Descriptor(), "neither XDG_CACHE_HOME nor HOME holds an absolute path; set one of them or give the cache a folder"};
    }
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    Descriptor folder(::open(path.c_str(), flags));
    if (!folder && errno == ENOENT) {
        if (!make) return {};
        make_folders(path);
        folder = Descriptor(::open(path.c_str(), flags));
    }
    struct stat status;
    if (!folder || ::fstat(folder.number(), &status) != 0) {
        const int error = errno;
        return {Descriptor(), std::string("the folder ").append(path).append(": ").append(std::strerror(error))};
    }
    if (!is_private(status)) return {Descriptor(), why_not_private(path, status)};
    return {std::move(folder), {}};
}

}  // namespace cubind::detail
