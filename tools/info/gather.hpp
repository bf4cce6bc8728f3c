// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bound_libraries.hpp"
#include "facts.hpp"

/// Functions that gather facts. They do not throw if libraries or devices are missing.
namespace cubind::info {

/// Searches for the library, opens it and looks up each of its functions. Calls only the function that reports the version.
LibraryFacts gather_library(const BoundLibrary& bound);

/// Initializes the driver (cuInit) and queries its devices, if there is a driver.
DriverFacts gather_driver(const LibraryFacts& library);

/// Compiles an empty kernel with NVRTC and queries the supported architectures, if there is an NVRTC.
CompilerFacts gather_compiler(const LibraryFacts& library);

/// Reads CUDA_PATH and CUDA_HOME and checks whether their folders contain any of the libraries.
std::vector<ToolkitVariable> gather_toolkits(const std::vector<BoundLibrary>& libraries);

/// Gathers all facts.
Facts gather();

}  // namespace cubind::info
