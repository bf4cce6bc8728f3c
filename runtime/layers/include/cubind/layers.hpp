// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Layers between a program and the vendor's libraries. They cost nothing while they are off, stack in any order, and see the calls of
/// all libraries that cubind binds.

#include <cubind/layers/environment.hpp>
#include <cubind/layers/faults.hpp>
#include <cubind/layers/layer.hpp>
#include <cubind/layers/leaks.hpp>
#include <cubind/layers/trace.hpp>
#include <cubind/layers/validate.hpp>
