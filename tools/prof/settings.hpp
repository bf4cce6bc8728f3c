// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/recorder.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// What the command tells the library in the program, by variables of the environment.
namespace cubind::prof {

/// The variable with the folder for records. The library does nothing without it.
inline constexpr const char* folder_variable = "CUBIND_PROF_FOLDER";
/// The variable with the activities, as in --activities.
inline constexpr const char* activities_variable = "CUBIND_PROF_ACTIVITIES";
/// The variable with the bytes that records may occupy in a process.
inline constexpr const char* memory_variable = "CUBIND_PROF_MEMORY";
/// The variable with the number of the only process to record; all processes are recorded if it is not set.
inline constexpr const char* process_variable = "CUBIND_PROF_PROCESS";

/// The variable with the library to which NVTX passes ranges.
inline constexpr const char* nvtx_variable = "NVTX_INJECTION64_PATH";

/// Without --activities. A table does not need the calls, which cost most; files attribute work to them.
inline constexpr std::string_view activities_of_table = "kernels,copies,fills,ranges";
inline constexpr std::string_view activities_of_files = "kernels,copies,fills,calls,ranges";
inline constexpr std::string_view all_activities = "kernels, copies, fills, memory, calls, waits or ranges";
inline constexpr std::size_t default_memory = std::size_t{256} << 20;
inline constexpr std::size_t min_memory = std::size_t{8} << 20;

/// Reads a list such as "kernels,copies". Returns the first word that is no activity, or "" if there is none; `options` are then
/// those of the list. An empty list is a list with an empty word.
std::string read_activities(std::string_view list, profile::RecorderOptions& options);

/// Reads a number of bytes such as "64M" or "1G". Returns false if it is none.
bool read_size(std::string_view text, std::size_t& size);

/// Limits the memory of a recorder.
void limit_memory(std::size_t bytes, profile::RecorderOptions& options);

}  // namespace cubind::prof
