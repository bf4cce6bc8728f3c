// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 12.0. Returns status.
/// size: in, value.
CUBIND_EXPORT Result<toyStatus> toyGrow(const toySize* size) noexcept;

/// Since 12.8. Returns status.
CUBIND_EXPORT Result<toyStatus> toyShrink(int number) noexcept;

/// Since 12.0. Returns status, version.
CUBIND_EXPORT Result<toyStatus, int> toyVersion() noexcept;


}  // namespace CUBIND_NAMESPACE::toy
