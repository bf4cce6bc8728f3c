// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Kernels and their launch: all of <cubind/core/launch/...>.

#include <cubind/core/launch/dim3.hpp>
#include <cubind/core/launch/global.hpp>
#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/launch/kernel_attributes.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/launch/launch_config.hpp>
#include <cubind/core/launch/occupancy.hpp>
