// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/detail/abi.hpp>
#include <cubind/library.hpp>
#include <cubind/version_problems.hpp>

#include <span>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE {

/// A library of CUDA as this process found it.
struct FoundLibrary {
    std::string name = {};       ///< name in cubind, such as "nvrtc"
    int release = 0;             ///< release of CUDA, 13040 for 13.4; 0 if it is missing or reports none
    std::string path = {};       ///< file; empty if it is missing or simulated
    std::string found_via = {};  ///< the step of the search, such as "Python wheel" or "CUDA_PATH"; empty without a file
    std::string problem = {};    ///< why it is missing; empty otherwise
};

/// The versions of driver, toolkit and wheels that this process uses, and what does not fit together. diagnose_versions() returns
/// it. The object is a copy.
struct VersionReport {
    std::vector<FoundLibrary> libraries = {};   ///< the driver first
    VersionFacts facts = {};                    ///< the versions, the PTX that NVRTC writes, and the devices
    std::vector<VersionProblem> problems = {};  ///< in the order in which to fix them

    /// Returns whether there is no problem.
    [[nodiscard]] bool ok() const noexcept { return problems.empty(); }
    /// Returns a line for each library, device and problem.
    [[nodiscard]] CUBIND_EXPORT std::string text() const;
};

/// Finds the driver, NVRTC and nvJitLink, compiles an empty kernel, and compares the versions, so that a program can tell its
/// user why code will not load before it does not. `others` are further rows of the loader, such as &runtime::library(); the row
/// of the runtime library is compared, too. A missing toolkit is no problem, and a missing driver is one with the id
/// "driver_missing". Initializes the driver and loads the libraries (cuInit, cuDriverGetVersion, nvrtcCompileProgram). Throws
/// std::bad_alloc only. cubind-info compares the same versions, and more settings of the machine.
///
///     if (const VersionReport report = diagnose_versions(); !report.ok()) std::fputs(report.text().c_str(), stderr);
[[nodiscard]] CUBIND_EXPORT VersionReport diagnose_versions(std::span<Library* const> others = {});

}  // namespace CUBIND_NAMESPACE
