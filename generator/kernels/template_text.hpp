// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "clang/cursor.hpp"
#include "kernels/host_types.hpp"
#include "kernels/user_files.hpp"

namespace cubind::gen::kernels {

/// Returns the parameters of a kernel template for the host, such as "class T, int N = 4". A default argument is left out if the
/// host may lack what it names. Throws InputError for parameters that are packs or templates.
std::string template_parameters(const clang::Cursor& pattern, HostTypes& types, const UserFiles& files, const std::string& place);

/// Returns the arguments of an instance for the host, such as "float, 4".
std::string template_arguments(const clang::Cursor& instance, const clang::Cursor& pattern, HostTypes& types,
                               const std::string& place);

/// Returns the arguments of an instance for NVRTC.
std::string device_arguments(const clang::Cursor& instance, const clang::Cursor& pattern);

}  // namespace cubind::gen::kernels
