// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "gather.hpp"
#include "platform/environment.hpp"

namespace cubind::info {
namespace {

namespace fs = std::filesystem;

// Folders that the loader searches in a toolkit.
#if defined(__aarch64__)
constexpr const char* folders[] = {"lib64", "lib", "targets/sbsa-linux/lib"};
#else
constexpr const char* folders[] = {"lib64", "lib", "targets/x86_64-linux/lib"};
#endif

bool has_any(const fs::path& folder, const char* const* names) {
    std::error_code ignored;
    for (; names != nullptr && *names != nullptr; ++names) {
        if (fs::exists(folder / *names, ignored)) return true;
    }
    return false;
}

// Accepts libraries of other majors, too; find_search_mismatches() reports that the loader rejects them.
bool has_library(const fs::path& root, const Library& library) {
    if (library.from_os_loader_only) return false;
    return std::any_of(std::begin(folders), std::end(folders), [&](const char* folder) {
        return has_any(root / folder, library.file_names) || has_any(root / folder, library.refused_file_names);
    });
}

void examine_folder(ToolkitVariable& variable, const std::vector<BoundLibrary>& libraries) {
    std::error_code ignored;
    if (variable.value.front() != '/') {
        variable.problem = "is a relative path, which is ignored";
    } else if (!fs::is_directory(variable.value, ignored)) {
        variable.problem = "is not a folder";
    } else {
        variable.real_path = fs::canonical(variable.value, ignored).string();
        for (const auto& bound : libraries) {
            if (has_library(variable.value, bound.library)) variable.libraries.push_back(bound.library.name);
        }
        if (!variable.libraries.empty()) return;
        variable.problem = std::string("has no CUDA library in ") + folders[0] + ", " + folders[1] + " or " + folders[2];
    }
}

}  // namespace

std::vector<ToolkitVariable> gather_toolkits(const std::vector<BoundLibrary>& libraries) {
    std::vector<ToolkitVariable> variables;
    for (const char* const name : {"CUDA_PATH", "CUDA_HOME"}) {
        const char* const set = detail::environment_variable(name);
        ToolkitVariable& variable = variables.emplace_back();
        variable.name = name;
        variable.value = set != nullptr ? set : "";
        if (!variable.value.empty()) examine_folder(variable, libraries);
    }
    return variables;
}

}  // namespace cubind::info
