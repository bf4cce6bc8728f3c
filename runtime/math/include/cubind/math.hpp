// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Mathematics on arrays in memory of a device: products of matrices, Fourier transforms, solvers, contractions of tensors,
/// random numbers.

#include <cubind/math/contraction.hpp>
#include <cubind/math/decompositions.hpp>
#include <cubind/math/fft.hpp>
#include <cubind/math/least_squares.hpp>
#include <cubind/math/matmul.hpp>
#include <cubind/math/matmul_algorithm.hpp>
#include <cubind/math/matmul_options.hpp>
#include <cubind/math/random.hpp>
#include <cubind/math/solve.hpp>
#include <cubind/math/solver_result.hpp>
#include <cubind/math/vector.hpp>
