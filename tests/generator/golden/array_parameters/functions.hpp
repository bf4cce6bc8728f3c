// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
/// row: out, array of 1.
CUBIND_EXPORT Result<toyStatus> toyCopyRow(toyRow* row) noexcept;

/// Since 13.4. Returns status.
/// grid: out, array of 2.
CUBIND_EXPORT Result<toyStatus> toyGetGrid(float (*grid)[4]) noexcept;

/// Since 13.4. Returns status.
/// names: out, array of count.
CUBIND_EXPORT Result<toyStatus> toyGetNames(int count, const char** names) noexcept;

/// Since 13.4. Returns status.
/// row: out, array of 32.
CUBIND_EXPORT Result<toyStatus> toyGetRow(unsigned int* row) noexcept;

/// Since 13.4. Returns status, rows.
CUBIND_EXPORT Result<toyStatus, toyRow*> toyGetRows(int set) noexcept;

/// Since 13.4. Returns status.
/// sizes: out, array of 3.
CUBIND_EXPORT Result<toyStatus> toyGetSizes(int* sizes) noexcept;

/// Since 13.4. Returns status.
/// extent: in, array of 3.
CUBIND_EXPORT Result<toyStatus> toySetExtent(const int* extent) noexcept;

/// Since 13.4. Returns status.
/// names: in, array of 2.
CUBIND_EXPORT Result<toyStatus> toySetNames(const char* const* names) noexcept;

/// Since 13.4. Returns status.
/// row: in, array of 32.
CUBIND_EXPORT Result<toyStatus> toySetRow(const unsigned int* row) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
