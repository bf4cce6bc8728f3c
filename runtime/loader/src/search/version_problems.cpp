// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/ptx_isa.hpp>
#include <cubind/version_problems.hpp>

#include <algorithm>

namespace CUBIND_NAMESPACE {
namespace {

using Release = int;
using Problems = std::vector<VersionProblem>;

constexpr Release min_driver = 12000;
constexpr Release first_nvjitlink_with_version = 12030;

std::string cuda(Release release) {
    return release > 0 ? "CUDA " + detail::release_text(release) : "an unknown release";
}

// Returns the compute capability of an architecture.
std::string capability_text(int architecture) {
    return std::to_string(architecture / 10) + "." + std::to_string(architecture % 10);
}

void find_old_driver(Release driver, Problems& found) {
    if (driver == 0 || driver >= min_driver) return;
    found.push_back({"driver_too_old", "The driver is of " + cuda(driver) + ", but cubind requires " + cuda(min_driver) +
                                           " or newer: install a newer driver."});
}

void find_new_runtime(Release driver, Release runtime, Problems& found) {
    if (driver == 0 || runtime / 1000 <= driver / 1000) return;
    found.push_back({"runtime_too_new", "The runtime library is of " + cuda(runtime) + ", but the driver of " + cuda(driver) +
                                            ", an older major version, so its calls will fail: install a driver for " +
                                            cuda(runtime / 1000 * 1000) + " or newer."});
}

void find_new_ptx(const VersionFacts& facts, Problems& found) {
    const Release driver = facts.driver;
    const Release nvrtc = facts.nvrtc;
    const detail::PtxLimit limit = detail::ptx_limit(driver);
    const bool is_newer = limit.is_exact || nvrtc > driver;
    if (driver == 0 || limit.ptx_isa == 0 || facts.emitted_ptx <= limit.ptx_isa || !is_newer) return;
    // A cubin runs on every driver of its major version.
    const bool same_major = nvrtc / 1000 == driver / 1000;
    const std::string gpu = facts.devices.empty() ? "XY" : std::to_string(facts.devices.front().architecture);
    found.push_back(
        {"ptx_too_new", "NVRTC of " + cuda(nvrtc) + " emits PTX ISA " + detail::release_text(facts.emitted_ptx) +
                            ", but the driver, of " + cuda(driver) + ", accepts " + detail::release_text(limit.ptx_isa) +
                            " at most, so programs that are compiled to PTX will not load: " +
                            (same_major ? "compile for the GPU itself (--gpu-architecture=sm_" + gpu + "), or " : "") +
                            "install a driver for " + cuda(nvrtc) + " or newer, or NVRTC of " + cuda(driver) + "."});
}

void find_unfit_headers(const VersionFacts& facts, Problems& found) {
    const std::string remedy =
        ": install both from the same release (wheels nvidia-cuda-runtime and nvidia-cuda-cccl), or set "
        "CUDA_PATH to a toolkit of " +
        cuda(facts.nvrtc) + ".";
    if (facts.headers_path.empty()) {
        if (!facts.refused_headers.empty())
            found.push_back({"headers_refused", "NVRTC, of " + cuda(facts.nvrtc) +
                                                    ", has no headers of CUDA for kernels that include "
                                                    "them: " +
                                                    facts.refused_headers + "."});
    } else if (facts.headers != 0 && facts.nvrtc != 0 && facts.headers != facts.nvrtc) {
        found.push_back({"headers_of_another_release",
                         "The headers of CUDA in " + facts.headers_path + " are of " + cuda(facts.headers) + ", but NVRTC, of " +
                             cuda(facts.nvrtc) + ", compiles kernels with them, which can fail inside of the headers" + remedy});
    }
}

void find_unfit_linker(const VersionFacts& facts, Problems& found) {
    const Release nvrtc = facts.nvrtc;
    const Release linker = facts.nvjitlink;
    if (!facts.has_nvrtc || !facts.has_nvjitlink || nvrtc == 0) return;
    const std::string remedy = ": install both from the same release.";
    const std::string compiler = "NVRTC, of " + cuda(nvrtc);
    if (linker == 0) {
        if (nvrtc < first_nvjitlink_with_version) return;
        found.push_back({"nvjitlink_older_than_nvrtc",
                         "nvJitLink is older than CUDA 12.3, because it does not report a version, and will not link code that " +
                             compiler + ", compiles for link-time optimization" + remedy});
    } else if (linker / 1000 != nvrtc / 1000) {
        found.push_back({"nvjitlink_of_another_major", "nvJitLink, of " + cuda(linker) + ", and " + compiler +
                                                           ", are of different major versions, so nvJitLink does not link code "
                                                           "that NVRTC compiles for link-time optimization" +
                                                           remedy});
    } else if (linker < nvrtc) {
        found.push_back({"nvjitlink_older_than_nvrtc",
                         "nvJitLink, of " + cuda(linker) + ", is older than " + compiler +
                             ", and will not link code that NVRTC compiles for link-time optimization" + remedy});
    }
}

void find_unfit_device(const VersionFacts& facts, const VersionFacts::Device& device, Problems& found) {
    const std::vector<int>& known = facts.nvrtc_architectures;
    if (known.empty() || device.architecture == 0) return;
    if (std::find(known.begin(), known.end(), device.architecture) != known.end()) return;
    const auto [oldest, newest] = std::minmax_element(known.begin(), known.end());
    const std::string text = "Device " + std::to_string(device.ordinal) + ", " + device.name + ", has compute capability " +
                             capability_text(device.architecture) + ", which NVRTC of " + cuda(facts.nvrtc);
    if (device.architecture < *oldest) {
        found.push_back({"gpu_too_old_for_nvrtc", text + " no longer compiles for (its oldest is " + capability_text(*oldest) +
                                                      "): install NVRTC of an older release and set CUBIND_NVRTC_LIBRARY "
                                                      "to its path."});
    } else {
        const int below = *std::max_element(known.begin(), known.end(), [&](int left, int right) {
            return (left < device.architecture ? left : 0) < (right < device.architecture ? right : 0);
        });
        found.push_back(
            {"gpu_too_new_for_nvrtc", text + " does not compile for" +
                                          (device.architecture > *newest ? " yet (its newest is " + capability_text(*newest) + ")"
                                                                         : std::string(" directly")) +
                                          ": compile to PTX for compute_" + std::to_string(below) +
                                          ", which the driver translates, or install NVRTC of a newer release."});
    }
}

}  // namespace

std::vector<VersionProblem> find_version_problems(const VersionFacts& facts) {
    Problems found;
    find_old_driver(facts.driver, found);
    find_new_runtime(facts.driver, facts.runtime, found);
    if (!facts.nvrtc_failure.empty()) {
        found.push_back(
            {"nvrtc_compiles_nothing",
             facts.nvrtc_path + " does not compile an empty kernel (" + facts.nvrtc_failure +
                 "): check that libnvrtc-builtins of the same release is in the same folder, or install NVRTC again."});
    }
    find_new_ptx(facts, found);
    find_unfit_headers(facts, found);
    find_unfit_linker(facts, found);
    for (const VersionFacts::Device& device : facts.devices) find_unfit_device(facts, device, found);
    return found;
}

}  // namespace CUBIND_NAMESPACE
