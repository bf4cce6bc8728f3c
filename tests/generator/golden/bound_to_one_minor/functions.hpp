// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 0.4.1. Returns status.
/// handle: in, opaque.
CUBIND_EXPORT Result<toyStatus> toyTurn(toyHandle* handle) noexcept;

/// Since 0.4.1. Returns status, version.
CUBIND_EXPORT Result<toyStatus, int> toyVersion() noexcept;


}  // namespace CUBIND_NAMESPACE::toy
