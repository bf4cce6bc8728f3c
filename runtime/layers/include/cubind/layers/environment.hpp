// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

/// @file
/// Start of layers by environment variables, without a change of the program. Every program that links cubind::layers reads these
/// variables before main():
///
/// | variable | meaning |
/// |---|---|
/// | `CUBIND_LAYERS` | layers to start, the topmost first: `trace,validate,faults,leaks,nvtx` |
/// | `CUBIND_TRACE` | `FORMAT` or `FORMAT:FILE`; `text`, `json` or `chrome`. Default: text on the standard error stream |
/// | `CUBIND_VALIDATE` | `warn` (default) or `fail` |
/// | `CUBIND_FAULTS` | `FUNCTION[#CALL]=STATUS,...`: status by name or number; call by number, `*` for every call, default 1 |
///
/// Leaks are reported on the standard error stream when the process exits. If a value is not valid, the error is reported
/// there and no layer is started.
namespace CUBIND_NAMESPACE::layers {

/// Starts the layers that the environment variables name. Throws std::invalid_argument with the variable, its value and the
/// expected values if a value is not valid.
CUBIND_EXPORT void start_from_environment();

}  // namespace CUBIND_NAMESPACE::layers
