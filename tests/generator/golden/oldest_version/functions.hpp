// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 2.9.3. Returns status.
/// handle: out, opaque.
CUBIND_EXPORT Result<toyStatus> toyInit(toyHandle* handle) noexcept;

/// Since 2.9.3. Returns status, version.
CUBIND_EXPORT Result<toyStatus, int> toyVersion() noexcept;


}  // namespace CUBIND_NAMESPACE::toy
