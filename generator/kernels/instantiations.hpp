// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Instances of kernel templates. Each is named in a variable that is added to the source, so that the compiler finds the
/// template, checks the arguments and adds those that have defaults.
namespace cubind::gen::kernels {

/// Returns lines that follow the source, one for each instance. Throws InputError if a text is no name with template arguments.
std::string instantiation_lines(const std::vector<std::string>& instantiations, const std::filesystem::path& file);

/// Returns the name of the variable for an instance.
std::string instantiation_variable(std::size_t index);

/// The beginning of the names of variables for explicit instantiations.
inline constexpr const char* explicit_instantiation_variable = "cubind_explicit_instance_";

/// Adds a variable behind each explicit instantiation of a kernel that states its template arguments, such as
/// `template __global__ void scale<float>(float*)`, of which libclang tells nothing. The lines stay the same.
std::string with_explicit_instantiations(const std::string& source);

}  // namespace cubind::gen::kernels
