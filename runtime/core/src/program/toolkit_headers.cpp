// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/toolkit_headers.hpp"

#include <filesystem>

#include "platform/environment.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

namespace fs = std::filesystem;

bool has(const fs::path& folder, const char* entry) {
    std::error_code ignored;
    return fs::exists(folder / entry, ignored);
}

// Adds the folders of the host's platform. A toolkit has a folder for each platform.
void add_targets(const fs::path& root, std::vector<fs::path>& candidates) {
#if defined(__aarch64__)
    for (const char* target : {"sbsa-linux", "aarch64-linux"}) candidates.push_back(root / "targets" / target / "include");
#else
    candidates.push_back(root / "targets/x86_64-linux/include");
#endif
}

// Returns the folders beside the library that may contain the headers, the nearest first.
std::vector<fs::path> candidates_beside(const fs::path& library) {
    const fs::path root = library.parent_path().parent_path();  // the parent of lib, lib64 and so on
    std::vector<fs::path> candidates = {root / "include", root.parent_path() / "cuda_runtime/include"};
    add_targets(root, candidates);
    return candidates;
}

void add_named(const char* variable, std::vector<fs::path>& candidates) {
    const char* const root = environment_variable(variable);
    if (root == nullptr || !fs::path(root).is_absolute()) return;
    candidates.push_back(fs::path(root) / "include");
    add_targets(root, candidates);
}

}  // namespace

std::vector<std::string> toolkit_headers(const std::string& nvrtc_path) {
    std::error_code ignored;
    std::vector<fs::path> candidates = candidates_beside(nvrtc_path);
    if (const fs::path real = fs::canonical(nvrtc_path, ignored); !real.empty()) {
        for (fs::path& candidate : candidates_beside(real)) candidates.push_back(std::move(candidate));
    }
    add_named("CUDA_PATH", candidates);
    add_named("CUDA_HOME", candidates);
    for (const fs::path& candidate : candidates) {
        if (!has(candidate, "cuda_fp16.h")) continue;
        std::vector<std::string> folders = {candidate.lexically_normal().string()};
        // CCCL has a separate folder since CUDA 13.0, and a separate package in wheels of CUDA 12.
        for (const fs::path& cccl : {candidate / "cccl", candidate.parent_path().parent_path() / "cuda_cccl/include"}) {
            if (has(cccl, "cuda/std")) folders.push_back(cccl.lexically_normal().string());
        }
        return folders;
    }
    return {};
}

}  // namespace CUBIND_NAMESPACE::detail
