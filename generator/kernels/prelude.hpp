// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// What NVRTC declares before each source.
namespace cubind::gen::kernels {

/// The texts of the annotate attributes that stand for CUDA's attributes. The first three begin a list of arguments.
inline constexpr const char* launch_bounds_annotation = "cubind launch bounds ";
inline constexpr const char* cluster_annotation = "cubind cluster ";
inline constexpr const char* block_annotation = "cubind block ";
inline constexpr const char* kernel_annotation = "cubind kernel";
inline constexpr const char* tile_annotation = "cubind tile";
inline constexpr const char* device_annotation = "cubind device";
inline constexpr const char* constant_annotation = "cubind constant";
inline constexpr const char* managed_annotation = "cubind managed";

/// Returns the text of the declarations.
const std::string& prelude();

/// Returns the arguments that let clang take the macros and folders that NVRTC has and no others. The version is that of the
/// headers.
std::vector<std::string> compiler_arguments(const std::vector<std::filesystem::path>& toolkit_includes);

}  // namespace cubind::gen::kernels
