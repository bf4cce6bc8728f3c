// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

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
bool has_library(const fs::path& root, const std::vector<BoundLibrary>& libraries) {
    for (const char* const folder : folders) {
        for (const auto& bound : libraries) {
            if (bound.library.from_os_loader_only) continue;
            if (has_any(root / folder, bound.library.file_names)) return true;
            if (has_any(root / folder, bound.library.refused_file_names)) return true;
        }
    }
    return false;
}

std::string toolkit_problem(const std::string& value, const std::vector<BoundLibrary>& libraries) {
    if (value.empty()) return "";
    if (value.front() != '/') return "is a relative path, which is ignored";
    std::error_code ignored;
    if (!fs::is_directory(value, ignored)) return "is not a folder";
    if (has_library(value, libraries)) return "";
    return std::string("has no CUDA library in ") + folders[0] + ", " + folders[1] + " or " + folders[2];
}

}  // namespace

std::vector<ToolkitVariable> gather_toolkits(const std::vector<BoundLibrary>& libraries) {
    std::vector<ToolkitVariable> variables;
    for (const char* const name : {"CUDA_PATH", "CUDA_HOME"}) {
        const char* const set = detail::environment_variable(name);
        const std::string value = set != nullptr ? set : "";
        variables.push_back({name, value, toolkit_problem(value, libraries)});
    }
    return variables;
}

}  // namespace cubind::info
