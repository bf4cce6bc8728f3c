// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/program.hpp>

#include <string>
#include <vector>

/// Checks of a Program and of its compilation. Each throws std::invalid_argument.
namespace CUBIND_NAMESPACE::detail {

/// Returns the name of the language for messages.
[[nodiscard]] const char* name_of(SourceKind kind) noexcept;

/// Returns whether the source can have any bytes, and not only those of a text.
[[nodiscard]] bool is_binary(SourceKind kind) noexcept;

/// Checks a Program before any compiler is called.
void check_program(SourceKind kind, const std::string& source, const ProgramOptions& options,
                   const std::vector<IncludedHeader>& headers);

/// Checks a compilation. `options.arch` is not empty unless it only evaluates.
void check_compile(SourceKind kind, CodeType target, const ProgramOptions& options, const CompileOptions& compile);

}  // namespace CUBIND_NAMESPACE::detail
