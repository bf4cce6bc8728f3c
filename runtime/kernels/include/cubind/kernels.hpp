// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Kernels whose code is a part of the program: all of <cubind/kernels/...>.

#include <cubind/kernels/device_function.hpp>
#include <cubind/kernels/embedded_code.hpp>
#include <cubind/kernels/embedded_global.hpp>
#include <cubind/kernels/embedded_kernel.hpp>
#include <cubind/kernels/kernel_source.hpp>
#include <cubind/kernels/tile_function.hpp>
#include <cubind/kernels/triton_function.hpp>
