// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Arrays, textures, surfaces and tensor maps: all of <cubind/core/array/...>.

#include <cubind/core/array/array.hpp>
#include <cubind/core/array/array_format.hpp>
#include <cubind/core/array/data_type.hpp>
#include <cubind/core/array/mipmapped_array.hpp>
#include <cubind/core/array/sparse_mapping.hpp>
#include <cubind/core/array/sparse_properties.hpp>
#include <cubind/core/array/surface.hpp>
#include <cubind/core/array/tensor_map.hpp>
#include <cubind/core/array/texture.hpp>
#include <cubind/core/array/texture_options.hpp>
#include <cubind/core/array/tile_pool.hpp>
