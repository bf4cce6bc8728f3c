// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/version_problems.hpp>

#include "mismatches.hpp"

namespace cubind::info {

void find_version_mismatches(const Facts& facts, std::vector<Mismatch>& found) {
    const LibraryFacts& nvrtc = facts.library("nvrtc");
    const LibraryFacts& linker = facts.library("nvjitlink");
    VersionFacts versions;
    versions.driver = facts.library("driver").version;
    versions.runtime = facts.library("runtime").version;
    versions.has_nvrtc = nvrtc.found;
    versions.nvrtc = nvrtc.version;
    versions.nvrtc_path = nvrtc.path;
    versions.nvrtc_failure = facts.compiler.problem;
    versions.nvrtc_architectures = facts.compiler.architectures;
    versions.emitted_ptx = facts.compiler.ptx_isa;
    versions.headers = facts.compiler.headers;
    versions.headers_path = facts.compiler.headers_path;
    versions.refused_headers = facts.compiler.refused_headers;
    versions.has_nvjitlink = linker.found;
    versions.nvjitlink = linker.version;
    for (const DeviceFacts& each : facts.driver.devices) versions.devices.push_back({each.ordinal, each.name, each.architecture});
    for (const VersionProblem& each : find_version_problems(versions)) found.push_back({each.id, each.text});
}

}  // namespace cubind::info
