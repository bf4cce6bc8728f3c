// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "release.hpp"

#include <string>
#include <vector>

/// What cubind-info finds out about a machine, before anything is judged or printed.
namespace cubind::info {

/// A bound function that the library which was found does not export.
struct LackingFunction {
    std::string symbol;
    std::string since;    ///< release that introduced it
    std::string removed;  ///< release whose headers dropped it; empty for none
};

struct LibraryFacts {
    std::string name;  ///< the loader's, e.g. "nvrtc"
    bool found = false;
    std::string path;         ///< as it was opened
    std::string real_path;    ///< without links
    std::string found_via;    ///< the step of the search
    Release version = 0;      ///< 0 if it cannot tell
    std::string why_missing;  ///< the loader's message, several lines; empty if found
    int needed_major = 0;     ///< 0 if any will do
    std::string override_variable;
    std::string override_value;  ///< empty unless set
    int bound = 0;               ///< functions that cubind has a wrapper for
    std::vector<LackingFunction> lacking;
};

struct DeviceFacts {
    int ordinal = 0;
    std::string name;
    int architecture = 0;  ///< 10 * major + minor of its compute capability
};

struct DriverFacts {
    std::string file_version;  ///< of the NVIDIA driver, e.g. "580.159.04", from the name of its file; may be empty
    bool asked = false;        ///< cuInit was called
    bool usable = false;       ///< ... and succeeded
    int status = 0;            ///< what cuInit, or the count of devices, returned
    std::string status_name;   ///< e.g. "CUDA_ERROR_NO_DEVICE"
    std::string description;   ///< what that means
    std::vector<DeviceFacts> devices;
};

struct CompilerFacts {
    Release ptx_isa = 0;             ///< that NVRTC emits, measured; 0 if it could not be
    std::vector<int> architectures;  ///< that NVRTC compiles for, e.g. 90
    std::string problem;             ///< why nothing could be measured; empty if it could, or without NVRTC
};

/// A variable that names the folder of a toolkit.
struct ToolkitVariable {
    std::string name;
    std::string value;    ///< empty unless set
    std::string problem;  ///< why no library can come from there; empty if one can, or if it is not set
};

struct Facts {
    std::vector<LibraryFacts> libraries;  ///< the driver first
    DriverFacts driver;
    CompilerFacts compiler;
    std::vector<ToolkitVariable> toolkits;

    /// The library of this name; one that was not found if cubind was built without it.
    const LibraryFacts& library(const std::string& name) const;
};

}  // namespace cubind::info
