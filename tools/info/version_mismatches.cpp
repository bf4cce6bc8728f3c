// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/ptx_isa.hpp>

#include <algorithm>

#include "mismatches.hpp"

namespace cubind::info {
namespace {

constexpr Release min_driver = 12000;
constexpr Release first_nvjitlink_with_version = 12030;

std::string cuda(Release release) {
    return release > 0 ? "CUDA " + to_text(release) : "an unknown release";
}

void find_old_driver(const LibraryFacts& driver, std::vector<Mismatch>& found) {
    if (driver.version == 0 || driver.version >= min_driver) return;
    found.push_back({"driver_too_old", "The driver is of " + cuda(driver.version) + ", but cubind requires " + cuda(min_driver) +
                                           " or newer: install a newer driver."});
}

void find_new_runtime(const LibraryFacts& driver, const LibraryFacts& runtime, std::vector<Mismatch>& found) {
    if (driver.version == 0 || runtime.version / 1000 <= driver.version / 1000) return;
    found.push_back({"runtime_too_new", "The runtime library is of " + cuda(runtime.version) + ", but the driver of " +
                                            cuda(driver.version) +
                                            ", an older major version, so its calls will fail: install a driver for " +
                                            cuda(runtime.version / 1000 * 1000) + " or newer."});
}

void find_new_ptx(const Facts& facts, const LibraryFacts& driver, std::vector<Mismatch>& found) {
    const LibraryFacts& nvrtc = facts.library("nvrtc");
    const detail::PtxLimit limit = detail::ptx_limit(driver.version);
    const bool is_newer = limit.is_exact || nvrtc.version > driver.version;
    if (driver.version == 0 || limit.ptx_isa == 0 || facts.compiler.ptx_isa <= limit.ptx_isa || !is_newer) return;
    // A cubin runs on every driver of its major version.
    const bool same_major = nvrtc.version / 1000 == driver.version / 1000;
    const std::string gpu = facts.driver.devices.empty() ? "XY" : std::to_string(facts.driver.devices.front().architecture);
    found.push_back({"ptx_too_new",
                     "NVRTC of " + cuda(nvrtc.version) + " emits PTX ISA " + to_text(facts.compiler.ptx_isa) +
                         ", but the driver, of " + cuda(driver.version) + ", accepts " + to_text(limit.ptx_isa) +
                         " at most, so programs that are compiled to PTX will not load: " +
                         (same_major ? "compile for the GPU itself (--gpu-architecture=sm_" + gpu + "), or " : "") +
                         "install a driver for " + cuda(nvrtc.version) + " or newer, or NVRTC of " + cuda(driver.version) + "."});
}

void find_unfit_linker(const LibraryFacts& nvrtc, const LibraryFacts& linker, std::vector<Mismatch>& found) {
    if (!nvrtc.found || !linker.found || nvrtc.version == 0) return;
    const std::string remedy = ": install both from the same release.";
    const std::string compiler = "NVRTC, of " + cuda(nvrtc.version);
    if (linker.version == 0) {
        if (nvrtc.version < first_nvjitlink_with_version) return;
        found.push_back({"nvjitlink_older_than_nvrtc",
                         "nvJitLink is older than CUDA 12.3, because it does not report a version, and will not link code that " +
                             compiler + ", compiles for link-time optimization" + remedy});
    } else if (linker.version / 1000 != nvrtc.version / 1000) {
        found.push_back({"nvjitlink_of_another_major", "nvJitLink, of " + cuda(linker.version) + ", and " + compiler +
                                                           ", are of different major versions, so nvJitLink does not link code "
                                                           "that NVRTC compiles for link-time optimization" +
                                                           remedy});
    } else if (linker.version < nvrtc.version) {
        found.push_back({"nvjitlink_older_than_nvrtc",
                         "nvJitLink, of " + cuda(linker.version) + ", is older than " + compiler +
                             ", and will not link code that NVRTC compiles for link-time optimization" + remedy});
    }
}

void find_unfit_device(const Facts& facts, const DeviceFacts& device, std::vector<Mismatch>& found) {
    const std::vector<int>& known = facts.compiler.architectures;
    if (known.empty() || device.architecture == 0) return;
    if (std::find(known.begin(), known.end(), device.architecture) != known.end()) return;
    const auto [oldest, newest] = std::minmax_element(known.begin(), known.end());
    const std::string text = "Device " + std::to_string(device.ordinal) + ", " + device.name + ", has compute capability " +
                             capability_text(device.architecture) + ", which NVRTC of " + cuda(facts.library("nvrtc").version);
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

void find_version_mismatches(const Facts& facts, std::vector<Mismatch>& found) {
    const LibraryFacts& driver = facts.library("driver");
    const LibraryFacts& nvrtc = facts.library("nvrtc");
    find_old_driver(driver, found);
    find_new_runtime(driver, facts.library("runtime"), found);
    if (!facts.compiler.problem.empty()) {
        found.push_back(
            {"nvrtc_compiles_nothing",
             nvrtc.path + " does not compile an empty kernel (" + facts.compiler.problem +
                 "): check that libnvrtc-builtins of the same release is in the same folder, or install NVRTC again."});
    }
    find_new_ptx(facts, driver, found);
    find_unfit_linker(nvrtc, facts.library("nvjitlink"), found);
    for (const auto& device : facts.driver.devices) find_unfit_device(facts, device, found);
}

}  // namespace cubind::info
