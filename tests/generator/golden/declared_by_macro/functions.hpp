// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toySend_v2() noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toy_float_put(float value) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toy_int_put(int value) noexcept;

#ifndef toySend
inline constexpr auto& toySend = toySend_v2;
#endif

}  // namespace CUBIND_NAMESPACE::toy
