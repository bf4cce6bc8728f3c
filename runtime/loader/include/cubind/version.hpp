// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// The version of cubind, for the preprocessor. version(library) in <cubind/library.hpp> returns the version of a CUDA library.
///
///     #if CUBIND_VERSION >= 200  // 0.2.0

/// The first number of the version.
#define CUBIND_VERSION_MAJOR 0
/// The second number.
#define CUBIND_VERSION_MINOR 1
/// The third number.
#define CUBIND_VERSION_PATCH 0

/// 10000 * major + 100 * minor + patch.
#define CUBIND_VERSION (CUBIND_VERSION_MAJOR * 10000 + CUBIND_VERSION_MINOR * 100 + CUBIND_VERSION_PATCH)
