// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// Layers for programs that do not ask for them. Every program that links cubind::layers does this before main():
///
/// | variable | what it is |
/// |---|---|
/// | `CUBIND_LAYERS` | layers to start, the topmost first: `trace,validate,faults,leaks` |
/// | `CUBIND_TRACE` | `FORMAT` or `FORMAT:FILE`; the format is `text`, `json` or `chrome`. Without: text on the standard error stream |
/// | `CUBIND_VALIDATE` | `warn` (as without) or `fail` |
/// | `CUBIND_FAULTS` | `FUNCTION[#CALL]=STATUS,...`: the status by name or number, the call by number or `*` for every one; without, the first |
///
/// What leaks is said on the standard error stream when the process exits. What cannot be understood is said there, and no layer is
/// started.
namespace cubind::layers {

/// Starts the layers that the environment asks for. Throws std::invalid_argument that names variable, value and what is expected.
void start_from_environment();

}  // namespace cubind::layers
