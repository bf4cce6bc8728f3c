// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyAmbiguous(int number) noexcept;

/// Since 12.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyJump(int number) noexcept;

/// Since 12.8. Returns status.
CUBIND_EXPORT Result<toyStatus> toyJump_ptsz(int number) noexcept;

/// Earlier version, symbol toyTurn, since 2.0. Returns status.
CUBIND_EXPORT Result<toyStatus> toyTurn_v1(int number) noexcept;

/// Since 3.2. Returns status.
CUBIND_EXPORT Result<toyStatus> toyTurn_v2(int number, float angle) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyYoung(int number) noexcept;

#ifndef toyTurn
inline constexpr auto& toyTurn = toyTurn_v2;
#endif

}  // namespace CUBIND_NAMESPACE::toy
