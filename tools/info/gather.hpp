// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bound_libraries.hpp"
#include "facts.hpp"

/// Each function finds out about one thing. None throws, and none minds what is missing.
namespace cubind::info {

/// Searches and opens the library and looks up each of its functions; calls none but the one that tells the version.
LibraryFacts gather_library(const BoundLibrary& bound);

/// Initialises the driver, where there is one, and asks for the devices.
DriverFacts gather_driver(const LibraryFacts& library);

/// Lets NVRTC, where there is one, compile an empty kernel.
CompilerFacts gather_compiler(const LibraryFacts& library);

/// CUDA_PATH and CUDA_HOME, beside the libraries that the loader would look for there.
std::vector<ToolkitVariable> gather_toolkits(const std::vector<BoundLibrary>& libraries);

/// Everything.
Facts gather();

}  // namespace cubind::info
