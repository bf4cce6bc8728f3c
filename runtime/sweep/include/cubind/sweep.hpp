// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Sweeps, the time of many configurations: all of <cubind/sweep/...>.

#include <cubind/sweep/sweep.hpp>
#include <cubind/sweep/sweep_configuration.hpp>
#include <cubind/sweep/sweep_result.hpp>
