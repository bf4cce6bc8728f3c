// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/cache/cache_folder.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "errors/misuse.hpp"
#include "platform/environment.hpp"
#include "platform/file.hpp"
#include "platform/path_trust.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

/// Returns the absolute path in an environment variable, else an empty string.
std::string folder_from_environment(const char* variable) {
    const char* value = environment_variable(variable);
    return value != nullptr && value[0] == '/' ? value : "";
}

/// Creates the folder and its parents. Reports no failure, because opening the folder reports it.
void create_folders(const std::string& path) {
    constexpr unsigned permissions = 0700;
    for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
        create_folder(path.substr(0, end).c_str(), permissions);
    }
    create_folder(path.c_str(), permissions);
}

/// Returns why other users could change what the folder contains, or an empty string if they cannot.
std::string reason_not_safe(const std::string& path, PathUse use) {
    const std::string problem = trust_problem(path, use);
    return problem.empty() ? problem : concat("the folder ", path, ": ", problem, ", or choose another folder for the cache");
}

}  // namespace

std::string default_cache_folder(const char* kind) {
    std::string base = folder_from_environment("XDG_CACHE_HOME");
    if (base.empty()) {
        base = folder_from_environment("HOME");
        if (base.empty()) return base;
        base.append("/.cache");
    }
    return base.append("/cubind/").append(kind);
}

OpenedFolder open_cache_folder(const std::string& path, bool create) {
    if (path.empty()) {
        return {Descriptor(), false,
                "neither XDG_CACHE_HOME nor HOME contains an absolute path; set one of them or choose a folder for the cache"};
    }
    if (std::string reason = reason_not_safe(path, PathUse::read_folder); !reason.empty()) return {.problem = std::move(reason)};
    Descriptor folder = open_folder(path.c_str());
    if (!folder && errno == ENOENT) {
        if (!create) return {};
        // The home of another user must not receive a folder of this user. Another user may have created a part of the path
        // before this process has, so the check is repeated.
        for (const bool is_created : {false, true}) {
            if (std::string reason = reason_not_safe(path, PathUse::create_in_folder); !reason.empty()) {
                return {.problem = std::move(reason)};
            }
            if (!is_created) create_folders(path);
        }
        folder = open_folder(path.c_str());
    }
    FileStatus status;
    if (const int error = folder ? status_of_file(folder.number(), status) : errno) {
        return {.problem = concat("the folder ", path, ": ", std::strerror(error))};
    }
    return {std::move(folder), status.owner == effective_user(), {}};
}

}  // namespace CUBIND_NAMESPACE::detail
