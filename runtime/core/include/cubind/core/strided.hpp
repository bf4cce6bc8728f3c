// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Views of strided memory and DLPack: all of <cubind/core/strided/...>.

#include <cubind/core/strided/dimensions.hpp>
#include <cubind/core/strided/dlpack_exchange.hpp>
#include <cubind/core/strided/fill.hpp>
#include <cubind/core/strided/strided_span.hpp>
#include <cubind/core/strided/strided_view.hpp>
