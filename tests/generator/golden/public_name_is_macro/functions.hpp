// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyClose_v2(toyBox box) noexcept;

/// Earlier version, symbol toyOpen, since 13.4. Returns status, box.
CUBIND_EXPORT Result<toyStatus, toyBox> toyOpen_v1() noexcept;

/// Earlier version, since 13.4. Returns status, box.
CUBIND_EXPORT Result<toyStatus, toyBox> toyOpen_v2(unsigned int flags) noexcept;

/// Since 13.4. Returns status, box.
CUBIND_EXPORT Result<toyStatus, toyBox> toyOpen_v4(unsigned int flags, int place) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyShake(toyBox box) noexcept;

#ifndef toyClose
inline constexpr auto& toyClose = toyClose_v2;
#endif
#ifndef toyOpen
inline constexpr auto& toyOpen = toyOpen_v4;
#endif

}  // namespace CUBIND_NAMESPACE::toy
