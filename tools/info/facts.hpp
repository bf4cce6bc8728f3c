// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "release.hpp"

/// Facts about a machine that cubind-info gathers before it checks and prints them.
namespace cubind::info {

/// A bound function that the loaded library does not export.
struct LackingFunction {
    std::string symbol;   ///< ABI symbol
    std::string since;    ///< release that introduced it
    std::string removed;  ///< release whose headers dropped it; empty if none did
};

/// Facts about a bound library.
struct LibraryFacts {
    std::string name;                       ///< name in the loader, for example "nvrtc"
    bool found = false;                     ///< whether the loader found it
    std::string path;                       ///< path that was opened
    std::string real_path;                  ///< path without symbolic links
    std::string found_via;                  ///< step of the search
    Release version = 0;                    ///< version of the loaded file; 0 if unknown
    std::string product = "CUDA";           ///< name before the version
    std::string version_text;               ///< the version, such as "13.4" of CUDA or "2.19.3" of NCCL; "" if unknown
    std::vector<std::string> search_notes;  ///< lines of library_search_notes(); empty if not found
    std::string why_missing;                ///< the loader's message, several lines; empty if found
    int needed_major = 0;                   ///< required major version; 0 if any is accepted
    std::string override_variable;          ///< environment variable that overrides the search
    std::string override_value;             ///< its value; empty if not set
    int bound = 0;                          ///< number of functions that cubind binds
    std::vector<LackingFunction> lacking;   ///< bound functions that the library does not export
};

/// Facts about a device.
struct DeviceFacts {
    int ordinal = 0;       ///< ordinal in the driver
    std::string name;      ///< name; empty if unknown
    int architecture = 0;  ///< 10 * major + minor of its compute capability; 0 if unknown
};

/// Facts about the driver.
struct DriverFacts {
    std::string file_version;  ///< version of the NVIDIA driver in the name of its file, such as "580.159.04"; may be empty
    bool is_queried = false;   ///< whether cuInit was called
    bool usable = false;       ///< whether cuInit and cuDeviceGetCount succeeded
    int status = 0;            ///< status of the last of these calls
    std::string status_name;   ///< name of the status, for example "CUDA_ERROR_NO_DEVICE"
    std::string description;   ///< description of the status
    std::vector<DeviceFacts> devices;  ///< all devices
};

/// Facts about NVRTC.
struct CompilerFacts {
    Release ptx_isa = 0;             ///< PTX ISA that NVRTC emits, measured; 0 if unknown
    std::vector<int> architectures;  ///< architectures that NVRTC compiles for, for example 90
    std::string problem;             ///< why the measurement failed; empty if it did not fail or NVRTC is missing
    Release headers = 0;             ///< release of the headers that kernels are compiled with; 0 if unknown
    std::string headers_path;        ///< folder of these headers; empty if there is none
    std::string refused_headers;     ///< why headers are not used, if there are no others
};

/// An environment variable that names the folder of a toolkit.
struct ToolkitVariable {
    std::string name;       ///< name of the variable
    std::string value;      ///< its value; empty if not set
    std::string problem;    ///< why the search finds no library there; empty if it finds one, or if the variable is not set
    std::string real_path;  ///< the folder without symbolic links
    std::vector<std::string> libraries;  ///< names of the libraries that the folder has
};

/// All facts.
struct Facts {
    std::vector<LibraryFacts> libraries;    ///< the driver first
    DriverFacts driver;                     ///< the driver and its devices
    CompilerFacts compiler;                 ///< NVRTC
    std::vector<ToolkitVariable> toolkits;  ///< CUDA_PATH and CUDA_HOME

    /// Returns the library with this name; an empty LibraryFacts if cubind does not bind it.
    const LibraryFacts& library(const std::string& name) const {
        static const LibraryFacts none;
        for (const auto& each : libraries) {
            if (each.name == name) return each;
        }
        return none;
    }
};

}  // namespace cubind::info
