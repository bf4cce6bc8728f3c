// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Compilation, linking and their caches: all of <cubind/core/program/...>.

#include <cubind/core/program/evaluated_constant.hpp>
#include <cubind/core/program/file_program_cache.hpp>
#include <cubind/core/program/in_memory_program_cache.hpp>
#include <cubind/core/program/linker.hpp>
#include <cubind/core/program/linker_options.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/core/program/program_cache.hpp>
#include <cubind/core/program/program_cache_key.hpp>
#include <cubind/core/program/program_options.hpp>
#include <cubind/core/program/version_report.hpp>
