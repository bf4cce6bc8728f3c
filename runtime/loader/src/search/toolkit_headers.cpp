// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/ptx_isa.hpp>
#include <cubind/detail/toolkit_headers.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "platform/environment.hpp"
#include "platform/exhausted.hpp"
#include "platform/file.hpp"
#include "platform/path_trust.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

namespace fs = std::filesystem;

bool has(const fs::path& folder, const char* entry) {
    FileStatus status;
    const int error = status_of_path((folder / entry).c_str(), status);
    throw_if_exhausted(error);
    return error == 0;
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

// Returns the release of the headers, 13040 for CUDA 13.4, or 0 if the folder does not state it.
int release_of_headers(const fs::path& folder) {
    constexpr std::string_view begin = "#define CUDA_VERSION ";
    std::ifstream file(folder / "cuda.h");
    if (!file) throw_if_exhausted(errno);
    int release = 0;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(begin)) continue;
        std::from_chars(line.data() + begin.size(), line.data() + line.size(), release);
        break;
    }
    return release;
}

// Adds the folder to the headers unless another user can write to it. `entry` is a file or folder of it that exists.
bool add_folder(const fs::path& folder, const char* entry, ToolkitHeaders& headers) {
    if (std::string problem = trust_problem((folder / entry).string()); !problem.empty()) {
        headers.refused.push_back(std::move(problem));
        return false;
    }
    headers.folders.push_back(folder.lexically_normal().string());
    return true;
}

bool is_of_other_major(int release, int nvrtc) {
    return release != 0 && release / 1000 != nvrtc / 1000;
}

// CCCL is beside the other headers in toolkits of CUDA 12. It has a separate folder since CUDA 13.0, and a separate package in
// wheels of CUDA 12.
bool add_cccl(const fs::path& include, ToolkitHeaders& headers) {
    if (has(include, "cuda/std") && has(include, "nv/target")) {
        const std::string folder = include.lexically_normal().string();
        const bool is_known = std::find(headers.folders.begin(), headers.folders.end(), folder) != headers.folders.end();
        return is_known || add_folder(include, "cuda/std", headers);
    }
    for (const fs::path& cccl : {include / "cccl", include.parent_path().parent_path() / "cuda_cccl/include"}) {
        if (has(cccl, "cuda/std") && add_folder(cccl, "cuda/std", headers)) return true;
    }
    return false;
}

}  // namespace

ToolkitHeaders toolkit_headers(const std::string& nvrtc_path, int nvrtc_release, const std::string& default_toolkit) {
    std::error_code error;
    std::vector<fs::path> candidates = candidates_beside(nvrtc_path);
    if (const fs::path real = fs::canonical(nvrtc_path, error); !real.empty() && real != nvrtc_path) {
        for (fs::path& candidate : candidates_beside(real)) candidates.push_back(std::move(candidate));
    }
    throw_if_exhausted(error.value());
    add_named("CUDA_PATH", candidates);
    add_named("CUDA_HOME", candidates);
    const fs::path last = fs::path(default_toolkit) / "include";
    candidates.push_back(last);
    ToolkitHeaders headers;
    fs::path best;  // the first folder of NVRTC's release or of an unknown one, otherwise the first of its major release
    for (const fs::path& candidate : candidates) {
        if (!has(candidate, "cuda_fp16.h")) continue;
        const int release = release_of_headers(candidate);
        if (candidate == last && release != nvrtc_release) continue;
        if (std::string problem = trust_problem((candidate / "cuda_fp16.h").string()); !problem.empty()) {
            headers.refused.push_back(std::move(problem));
            continue;
        }
        if (is_of_other_major(release, nvrtc_release)) {
            headers.refused.push_back(candidate.lexically_normal().string() + " has the headers of CUDA " +
                                      release_text(release) + ", but NVRTC is of CUDA " + release_text(nvrtc_release) +
                                      ": not used; set CUDA_PATH to a toolkit of CUDA " + std::to_string(nvrtc_release / 1000));
            continue;
        }
        const bool fits = release == 0 || release == nvrtc_release;
        if (!best.empty() && !fits) continue;
        best = candidate;
        headers.release = release;
        if (fits) break;
    }
    if (best.empty()) return headers;
    headers.folders.push_back(best.lexically_normal().string());
    headers.has_cccl = add_cccl(best, headers);
    for (const fs::path& candidate : candidates) {
        if (headers.has_cccl) break;
        if (release_of_headers(candidate) == nvrtc_release) headers.has_cccl = add_cccl(candidate, headers);
    }
    return headers;
}

}  // namespace CUBIND_NAMESPACE::detail
