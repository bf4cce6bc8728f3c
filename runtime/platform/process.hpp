// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <string>

namespace CUBIND_NAMESPACE::detail {

[[nodiscard]] CUBIND_EXPORT int process_id() noexcept;
/// Returns whether there is such a process, which includes one that has ended, but that its parent has not waited for.
[[nodiscard]] CUBIND_EXPORT bool process_exists(int process) noexcept;
/// Returns whether the process runs.
[[nodiscard]] CUBIND_EXPORT bool is_process_running(int process) noexcept;
/// Writes the path of the file that this process executes, without symbolic links. Returns 0 or an errno. Throws std::bad_alloc.
[[nodiscard]] CUBIND_EXPORT int find_program_file(std::string& path);
/// Writes the name with which a process was started, which is the first of its arguments. Returns whether there is such a
/// process. Throws std::bad_alloc.
[[nodiscard]] CUBIND_EXPORT bool find_program_name(unsigned int process, std::string& name);
/// Replaces the program of this process, and passes it the arguments, of which the last one is null. Returns an errno.
[[nodiscard]] CUBIND_EXPORT int execute_program(const char* path, char* const* arguments) noexcept;

/// Returns the name of this machine. Throws std::bad_alloc.
[[nodiscard]] CUBIND_EXPORT std::string host_name();
/// Returns the number of processors, also of those that are switched off; 1 if the system does not state it.
[[nodiscard]] CUBIND_EXPORT unsigned processor_count() noexcept;
/// Returns the size of the machine's memory in bytes.
[[nodiscard]] CUBIND_EXPORT std::size_t physical_memory_size() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
