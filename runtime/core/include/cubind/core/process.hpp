// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Checkpoints and core dumps of the process: all of <cubind/core/process/...>.

#include <cubind/core/process/core_dump_callback.hpp>
#include <cubind/core/process/core_dump_settings.hpp>
#include <cubind/core/process/process.hpp>
