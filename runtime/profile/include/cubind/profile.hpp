// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Ranges and counters for profilers, and sweeps: all of <cubind/profile/...>.

#include <cubind/profile/nvtx_counter.hpp>
#include <cubind/profile/nvtx_domain.hpp>
#include <cubind/profile/nvtx_payload.hpp>
#include <cubind/profile/nvtx_range.hpp>
#include <cubind/profile/profiler_range.hpp>
#include <cubind/profile/sweep.hpp>
