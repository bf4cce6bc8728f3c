// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace cubind::toy {

/// Since 12.0. Returns status.
/// size: in, value.
Result<toyStatus> toyGrow(const toySize* size) noexcept;

/// Since 12.8. Returns status.
Result<toyStatus> toyShrink(int number) noexcept;

/// Since 12.0. Returns status, version.
Result<toyStatus, int> toyVersion() noexcept;


}  // namespace cubind::toy
