// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/system/values.hpp>

#include <string>

/// @file
/// Queries about the machine. Like all of cubind::system, they need no cuInit() and create no context. The first call initializes
/// NVML (nvmlInit_v2), once for the process; NVML counts initializations, so code that calls nvmlInit() and nvmlShutdown() itself
/// does not interfere. cubind never shuts NVML down. If the initialization fails, the call throws Error, and the next call tries
/// again. Any thread may call these functions.
namespace CUBIND_NAMESPACE::system {

/// Returns the version of the driver in the kernel, such as "580.65.06" (nvmlSystemGetDriverVersion).
[[nodiscard]] CUBIND_EXPORT std::string driver_version();

/// Returns the release of CUDA that the installed libcuda supports (nvmlSystemGetCudaDriverVersion_v2).
[[nodiscard]] CUBIND_EXPORT Version cuda_version();

/// Returns the branch of the driver, such as "r580_00" (nvmlSystemGetDriverBranch, since CUDA 12.6).
[[nodiscard]] CUBIND_EXPORT std::string driver_branch();

/// Returns the version of the NVML library, such as "13.580.65.06" (nvmlSystemGetNVMLVersion).
[[nodiscard]] CUBIND_EXPORT std::string nvml_version();

/// Returns the path of the program that the process runs (nvmlSystemGetProcessName). Throws Error with NVML_ERROR_NOT_FOUND if
/// there is no such process.
[[nodiscard]] CUBIND_EXPORT std::string process_name(unsigned int pid);

/// Returns whether NVML is installed, by searching for the library; it calls none of its functions. A machine that has the
/// library may still have no driver in the kernel, which the first query reports.
[[nodiscard]] CUBIND_EXPORT bool is_available() noexcept;

}  // namespace CUBIND_NAMESPACE::system
