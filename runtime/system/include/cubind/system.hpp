// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Includes all of cubind::system except <cubind/system/cuda_device.hpp>, which needs cubind::core.

#include <cubind/check.hpp>
#include <cubind/system/device.hpp>
#include <cubind/system/device_events.hpp>
#include <cubind/system/host.hpp>
#include <cubind/system/if_supported.hpp>
#include <cubind/system/system_events.hpp>
