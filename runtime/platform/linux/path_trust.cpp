// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/path_trust.hpp"

#include <algorithm>
#include <limits.h>
#include <stdio.h>
#include <string_view>
#include <unistd.h>

#include "platform/exhausted.hpp"
#include "platform/file_handle.hpp"
#include "platform/process.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

constexpr int max_links = 40;  // the limit of Linux

// Returns whether this user namespace maps all users, as the initial one does.
bool maps_all_users() {
    const FileHandle map(fopen("/proc/self/uid_map", "re"));
    if (map == nullptr) {
        throw_if_exhausted(errno);
        return true;
    }
    unsigned long inside = 1;
    unsigned long outside = 1;
    unsigned long count = 0;
    return fscanf(map.get(), "%lu %lu %lu", &inside, &outside, &count) == 3 && inside == 0 && outside == 0 && count >= 0xffffffff;
}

std::string target_of(const std::string& link) {
    std::string target(PATH_MAX, '\0');
    const ssize_t size = readlink(link.c_str(), target.data(), target.size());
    if (size < 0) throw_if_exhausted(errno);
    target.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return target;
}

// Returns whether the user owns the executable file of this process or a folder above it. Such a user can replace the program, so
// the user's libraries are no additional risk.
bool can_replace_program(uid_t user) {
    std::string path;
    throw_if_exhausted(find_program_file(path));
    while (path.size() > 1) {
        FileStatus status;
        if (status_of_path(path.c_str(), status, Links::not_followed) == 0 && status.owner == user) return true;
        path.erase(std::min(path.rfind('/'), path.size()));
    }
    return false;
}

bool is_trusted_owner(uid_t owner, PathUse use) {
    if (owner == 0 || owner == geteuid()) return true;
    if (use == PathUse::create_in_folder) return false;
    constexpr uid_t unmapped = 65534;  // Linux reports this number for each user that the namespace does not map
    return (owner == unmapped && !maps_all_users()) || can_replace_program(owner);
}

// Returns whether users other than the owner can write. A private group contains only its user.
bool is_writable_by_others(const FileStatus& status) {
    constexpr unsigned by_others = 02;
    constexpr unsigned by_group = 020;
    const bool has_private_group = status.owner != 0 && status.owner == status.group;
    return (status.permissions & by_others) != 0 || ((status.permissions & by_group) != 0 && !has_private_group);
}

std::string octal(unsigned mode) {
    char digits[16];
    snprintf(digits, sizeof digits, "%#o", mode);
    return digits;
}

constexpr unsigned sticky = 01000;

// Returns whether others can add names to it, although they cannot replace those that exist.
bool is_shared_folder(const FileStatus& status) {
    return status.kind == FileKind::folder && (status.permissions & sticky) != 0 && is_writable_by_others(status);
}

std::string problem_of(const std::string& part, const FileStatus& status, PathUse use, bool is_last) {
    if (!is_trusted_owner(status.owner, use)) {
        const uid_t self = geteuid();
        return part + " belongs to user " + std::to_string(status.owner) + ", not to root" +
               (self != 0 ? " or to user " + std::to_string(self) : "") + ": not used";
    }
    // Nothing is below a file such as /dev/null, and only its owner and root can replace it by a folder.
    const bool is_file = status.kind == FileKind::regular || status.kind == FileKind::other;
    if (is_file && !is_last) return {};
    const bool is_sticky_folder = status.kind == FileKind::folder && (status.permissions & sticky) != 0;
    const bool is_protected = is_sticky_folder && !(is_last && use != PathUse::read_file);
    if (status.kind == FileKind::symbolic_link || is_protected || !is_writable_by_others(status)) return {};
    return part + " can be written by others (mode " + octal(status.permissions) +
           "): not used; remove that permission: chmod go-w " + part;
}

// Removes and returns the first name of a path.
std::string take_name(std::string& rest) {
    rest.erase(0, rest.find_first_not_of('/'));
    const std::string name = rest.substr(0, rest.find('/'));
    rest.erase(0, name.size());
    return name;
}

}  // namespace

// Starts at the root, so that no other user can change a part of the path that has been checked.
std::string trust_problem(const std::string& path, PathUse use) {
    std::string part = "/";  // has no symbolic links
    std::string rest = path;
    bool is_in_shared_folder = false;
    for (int links = 0;;) {
        FileStatus status;
        if (const int error = status_of_path(part.c_str(), status, Links::not_followed)) {
            throw_if_exhausted(error);
            // Another user may have moved it away to bring it back after this check.
            if (use != PathUse::read_file || !is_in_shared_folder) return {};
            return part + " does not exist, and others can create it: not used";
        }
        is_in_shared_folder = is_shared_folder(status);
        const bool is_last = rest.find_first_not_of("/.") == std::string::npos;
        if (std::string problem = problem_of(part, status, use, is_last); !problem.empty()) return problem;
        if (status.kind == FileKind::symbolic_link) {
            if (++links > max_links) return part + " is part of a loop of symbolic links";
            const std::string target = target_of(part);
            rest.insert(0, target + "/");
            part.erase(target.starts_with('/') ? 1 : std::max<std::size_t>(part.rfind('/'), 1));
            continue;
        }
        std::string name = take_name(rest);
        while (name == ".") name = take_name(rest);
        if (name.empty()) return {};
        if (name == "..") {
            part.erase(std::max<std::size_t>(part.rfind('/'), 1));
        } else {
            part += (part.size() > 1 ? "/" : "") + name;
        }
    }
}

bool is_trusted_file(const FileStatus& status) {
    return is_trusted_owner(status.owner, PathUse::read_file) && !is_writable_by_others(status);
}

}  // namespace CUBIND_NAMESPACE::detail
