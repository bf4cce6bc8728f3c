// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE {

/// The versions of the parts of CUDA that a program uses together. Releases and versions of PTX are 1000 * major + 10 * minor:
/// 13040 is 13.4; 0 means unknown or missing.
struct VersionFacts {
    /// A device of the driver.
    struct Device {
        int ordinal = 0;        ///< its ordinal
        std::string name = {};  ///< its name
        int architecture = 0;   ///< 10 * major + minor of its compute capability; 0 if unknown
    };

    int driver = 0;                             ///< release of CUDA that the driver supports
    int runtime = 0;                            ///< release of the runtime library
    bool has_nvrtc = false;                     ///< whether NVRTC was found
    int nvrtc = 0;                              ///< release of NVRTC
    std::string nvrtc_path = {};                ///< file of NVRTC
    std::string nvrtc_failure = {};             ///< why NVRTC does not compile an empty kernel; empty if it does
    std::vector<int> nvrtc_architectures = {};  ///< architectures that NVRTC compiles for, such as 90; empty if unknown
    int emitted_ptx = 0;                        ///< version of the PTX that NVRTC writes
    int headers = 0;                            ///< release of the headers that NVRTC compiles kernels with; 0 if unknown
    std::string headers_path = {};              ///< folder of these headers; empty if there is none
    std::string refused_headers = {};           ///< why headers that were found are not used, if there are no others
    bool has_nvjitlink = false;                 ///< whether nvJitLink was found
    int nvjitlink = 0;                          ///< release of nvJitLink, which reports it from 12.3 on
    std::vector<Device> devices = {};           ///< all devices
};

/// A reason why programs fail although each part is installed.
struct VersionProblem {
    std::string id = {};    ///< stable identifier for programs, such as "ptx_too_new"
    std::string text = {};  ///< one sentence with the values and the remedy
};

/// Returns the parts that do not fit together, in the order in which to fix them. Makes no call of a library. Throws
/// std::bad_alloc only.
[[nodiscard]] CUBIND_EXPORT std::vector<VersionProblem> find_version_problems(const VersionFacts& facts);

}  // namespace CUBIND_NAMESPACE
