// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/site_packages.hpp"

#include <algorithm>
#include <charconv>
#include <dirent.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unistd.h>

#include "platform/environment.hpp"
#include "platform/exhausted.hpp"
#include "platform/handles.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

constexpr std::string_view python_3 = "python3";

// A folder with its minor version: 12 for "python3.12". Debian's shared "python3" sorts as the oldest. A free-threaded
// "python3.13t" follows "python3.13".
struct PythonFolder {
    std::string name;
    int minor = -1;

    explicit PythonFolder(const char* folder) : name(folder) {
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
    const FolderHandle listing(opendir(lib.c_str()));
    if (listing == nullptr) {
        throw_if_exhausted(errno);
        const int error = errno;
        if (problem != nullptr && error != ENOENT && error != ENOTDIR) {
            *problem = "cannot be read: " + std::generic_category().message(error);
        }
        return folders;
    }
    while (const dirent* const entry = readdir(listing.get())) {
        if (std::string_view(entry->d_name).starts_with(python_3)) {
            folders.emplace_back(entry->d_name);
        }
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

bool is_folder(const std::string& path) {
    struct stat facts = {};
    if (stat(path.c_str(), &facts) == 0) return S_ISDIR(facts.st_mode);
    throw_if_exhausted(errno);
    return false;
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
        if (access((folder + "/python3").c_str(), X_OK) != 0) {
            throw_if_exhausted(errno);
            continue;
        }
        return folder.ends_with(bin) ? folder.substr(0, folder.size() - bin.size()) : std::string();
    }
    return {};
}

}  // namespace CUBIND_NAMESPACE::detail
