// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status, pair.
CUBIND_EXPORT Result<toyStatus, toyPair> toyJoin(toyQuarter quarter) noexcept;

/// Since 13.4. Returns status.
/// factor: in, opaque.
/// data: inout, array of count.
CUBIND_EXPORT Result<toyStatus> toyScale(const ::toyHalf* factor, toyHalfType* data, int count) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
