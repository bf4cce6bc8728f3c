// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 12.0, removed in 13.4. Returns status.
/// hinge: in, value.
CUBIND_EXPORT Result<toyStatus> toyBend(const toyHinge* hinge) noexcept;

/// Since 12.0. Returns status.
CUBIND_EXPORT Result<toyStatus> toyOpen(int number) noexcept;

/// Since 12.0, removed in 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyTurn_v2(int number) noexcept;

#ifndef toyTurn
inline constexpr auto& toyTurn = toyTurn_v2;
#endif

}  // namespace CUBIND_NAMESPACE::toy
