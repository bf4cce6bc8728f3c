// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Ranges and counters for profilers, and a recorder: all of <cubind/profile/...>. The recorder needs CUPTI, and is left out if
/// cubind was built without it.

#include <cubind/profile/nvtx_counter.hpp>
#include <cubind/profile/nvtx_domain.hpp>
#include <cubind/profile/nvtx_payload.hpp>
#include <cubind/profile/nvtx_range.hpp>
#include <cubind/profile/profiler_range.hpp>

#if __has_include(<cubind/cupti/activity.hpp>)
#include <cubind/profile/callbacks.hpp>
#include <cubind/profile/metrics.hpp>
#include <cubind/profile/outputs.hpp>
#include <cubind/profile/recorder.hpp>
#endif
