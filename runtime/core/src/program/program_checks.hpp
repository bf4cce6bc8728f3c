// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program.hpp>

namespace cubind::detail {

/// What std::invalid_argument says of a Program before any compiler is asked.
void check_program(SourceKind kind, const std::string& source, const ProgramOptions& options, const std::vector<IncludedHeader>& headers);

/// The same of a compile. The options have an architecture.
void check_compile(SourceKind kind, CodeType target, const ProgramOptions& options, const CompileOptions& compile);

}  // namespace cubind::detail
