// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/site_packages.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "platform/environment.hpp"
#include "platform/exhausted.hpp"
#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

constexpr std::string_view python_3 = "python3";

// A folder with its minor version: 12 for "python3.12". Debian's shared "python3" sorts as the oldest. A free-threaded
// "python3.13t" follows "python3.13".
struct PythonFolder {
    std::string name;
    int minor = -1;

    explicit PythonFolder(std::string folder) : name(std::move(folder)) {
        if (name.size() <= python_3.size() || name[python_3.size()] != '.') return;
        const char* const number = name.data() + python_3.size() + 1;
        unsigned short value = 0;  // remains 0 if there is no number, or a number that no release has
        std::from_chars(number, name.data() + name.size(), value);
        minor = value;
    }

    bool operator<(const PythonFolder& other) const { return std::tuple(-minor, name) < std::tuple(-other.minor, other.name); }
};

std::vector<PythonFolder> python_folders(const std::string& lib, std::string* problem) {
    std::vector<PythonFolder> folders;
    std::vector<std::string> names;
    if (const int error = list_folder(lib.c_str(), names)) {
        throw_if_exhausted(error);
        if (problem != nullptr && error != ENOENT && error != ENOTDIR) {
            *problem = "cannot be read: " + std::generic_category().message(error);
        }
        return folders;
    }
    for (std::string& name : names) {
        if (name.starts_with(python_3)) folders.emplace_back(std::move(name));
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

bool is_folder(const std::string& path) {
    FileStatus status;
    const int error = status_of_path(path.c_str(), status);
    throw_if_exhausted(error);
    return error == 0 && status.kind == FileKind::folder;
}

}  // namespace

std::vector<std::string> site_packages_below(const std::string& prefix, std::string* problem) {
    std::vector<std::string> found;
    const std::string lib = prefix + "/lib";
    for (const PythonFolder& python : python_folders(lib, problem)) {
        for (const char* kind : {"/site-packages", "/dist-packages"}) {
            std::string folder = lib + "/" + python.name + kind;
            if (is_folder(folder)) {
                found.push_back(std::move(folder));
            }
        }
    }
    return found;
}

std::string python_prefix_on_path() {
    const char* const path = environment_variable("PATH");
    std::string_view rest = path != nullptr ? path : "";
    constexpr std::string_view bin = "/bin";
    while (!rest.empty()) {
        std::string folder(rest.substr(0, rest.find(':')));
        rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
        while (folder.ends_with('/')) folder.pop_back();
        if (!folder.starts_with('/')) continue;
        if (const int error = access_problem((folder + "/python3").c_str(), FileUse::execute)) {
            throw_if_exhausted(error);
            continue;
        }
        return folder.ends_with(bin) ? folder.substr(0, folder.size() - bin.size()) : std::string();
    }
    return {};
}

}  // namespace CUBIND_NAMESPACE::detail
