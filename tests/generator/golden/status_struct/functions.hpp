// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyError_t> toyClose(int number) noexcept;

/// Since 13.4. Returns status, first, second.
CUBIND_EXPORT Result<toyError_t, int, int> toyCopy(int number) noexcept;

/// Since 13.4.
CUBIND_EXPORT int toyCount() noexcept;

/// Since 13.4. Returns status, number.
CUBIND_EXPORT Result<toyError_t, int> toyOpen() noexcept;

/// Since 13.4.
CUBIND_EXPORT ssize_t toyRead(int number) noexcept;

/// Since 13.4.
CUBIND_EXPORT toyShape toyShapeOf(int number) noexcept;

/// Since 13.4.
CUBIND_EXPORT unsigned int toyVersion() noexcept;


}  // namespace CUBIND_NAMESPACE::toy
