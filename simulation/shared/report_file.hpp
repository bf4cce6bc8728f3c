// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

/// Files to which simulated libraries append reports when the process ends.
namespace CUBIND_NAMESPACE::sim {

/// Appends lines to the file that an environment variable names, in one write. Does nothing without lines or without the
/// variable, in a program with the rights of another user, and in a child of fork(), whose counts include those of its parent.
/// Reports on the standard error stream that the file cannot be written: "cannot write `contents` to ...".
void append_report(const char* variable, const char* contents, const std::string& lines) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
