// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// A recorder of what CUDA does, callbacks and metrics, by CUPTI: all of <cubind/profile/...>.

#include <cubind/profile/callbacks.hpp>
#include <cubind/profile/metrics.hpp>
#include <cubind/profile/outputs.hpp>
#include <cubind/profile/recorder.hpp>
