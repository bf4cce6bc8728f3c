// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 2.10.0. Returns status.
CUBIND_EXPORT Result<toyStatus> toyFresh(toySize size) noexcept;

/// Since 2.9.3, removed in 2.10.0. Returns status.
CUBIND_EXPORT Result<toyStatus> toyOld(toySize size) noexcept;

/// Since 2.9.3. Returns status, version.
CUBIND_EXPORT Result<toyStatus, int> toyVersion() noexcept;


}  // namespace CUBIND_NAMESPACE::toy
