// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Layers between a program and the vendor's libraries. They receive the calls of all libraries that cubind binds and can be
/// stacked in any order. A layer that is not started costs nothing.

#include <cubind/layers/environment.hpp>
#include <cubind/layers/faults.hpp>
#include <cubind/layers/layer.hpp>
#include <cubind/layers/leaks.hpp>
#include <cubind/layers/nvtx.hpp>
#include <cubind/layers/trace.hpp>
#include <cubind/layers/validate.hpp>
