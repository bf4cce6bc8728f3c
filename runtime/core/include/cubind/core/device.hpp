// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Devices and contexts: all of <cubind/core/device/...>.

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/device/device_luid.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/device/over_budget_callback.hpp>
#include <cubind/core/device/peer_attributes.hpp>
#include <cubind/core/device/simulation.hpp>
