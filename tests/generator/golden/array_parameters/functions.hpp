// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
/// names: out, array of count.
CUBIND_EXPORT Result<toyStatus> toyGetNames(int count, const char** names) noexcept;

/// Since 13.4. Returns status, rows.
CUBIND_EXPORT Result<toyStatus, toyRow*> toyGetRows(int set) noexcept;

/// Since 13.4. Returns status.
/// extent: in, array of 3.
CUBIND_EXPORT Result<toyStatus> toySetExtent(const int* extent) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
