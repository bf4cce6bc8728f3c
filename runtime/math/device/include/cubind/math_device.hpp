// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Mathematics: functions for FFT, GEMM, linear systems and random numbers that kernels call.

#include <cubind/math_device/fft.hpp>
#include <cubind/math_device/function.hpp>
#include <cubind/math_device/gemm.hpp>
#include <cubind/math_device/precision.hpp>
#include <cubind/math_device/random.hpp>
#include <cubind/math_device/solver.hpp>
