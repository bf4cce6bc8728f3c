// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/long_result.hpp>
#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s.
CUBIND_EXPORT Result<toyStatus, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, double>
toyGetMany(int number) noexcept;

/// Since 13.4. Returns status, a, b, c, d, e, f, g.
CUBIND_EXPORT Result<toyStatus, int, int, int, int, int, int, double> toyGetSeven() noexcept;


}  // namespace CUBIND_NAMESPACE::toy
