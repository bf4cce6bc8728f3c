// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/program_options.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Throws std::invalid_argument, which names the option and the reason, if the compiler would read precompiled or bundled headers
/// that another user can write. The compiler looks for these files itself, and a precompiled header is an image of its memory.
void check_trusted_inputs(const ProgramOptions& options);

}  // namespace CUBIND_NAMESPACE::detail
