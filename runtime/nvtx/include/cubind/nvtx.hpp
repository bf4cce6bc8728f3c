// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Ranges, marks and counters for profilers: all of <cubind/nvtx/...>.

#include <cubind/nvtx/nvtx_counter.hpp>
#include <cubind/nvtx/nvtx_domain.hpp>
#include <cubind/nvtx/nvtx_payload.hpp>
#include <cubind/nvtx/nvtx_range.hpp>
#include <cubind/nvtx/profiler_range.hpp>
