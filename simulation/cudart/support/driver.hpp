// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The driver, called by its exported symbols, as NVIDIA's runtime library calls NVIDIA's driver.

#include <cubind/driver/constants.hpp>

#include <simulation/driver_exports.hpp>
#include <simulation/functions.hpp>
