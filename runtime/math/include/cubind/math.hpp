// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Mathematics: functions for FFT, GEMM, linear systems and random numbers that kernels call.

#include <cubind/math/device/fft.hpp>
#include <cubind/math/device/function.hpp>
#include <cubind/math/device/gemm.hpp>
#include <cubind/math/device/random.hpp>
#include <cubind/math/device/solver.hpp>
#include <cubind/math/precision.hpp>
