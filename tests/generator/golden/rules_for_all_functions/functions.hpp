// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status, rows.
/// alpha: in, opaque.
/// beta: in, opaque, may be null.
CUBIND_EXPORT Result<toyStatus, int> toyAdd(toyBox box, const void* alpha, const void* beta, int rows) noexcept;

/// Since 13.4. Returns status, rows.
CUBIND_EXPORT Result<toyStatus, size_t> toyCount(toyBox box) noexcept;

/// Since 13.4. Returns status.
/// text: in, buffer of size.
CUBIND_EXPORT Result<toyStatus> toyLoad(toyBox box, const char* text, size_t size) noexcept;

/// Since 13.4. Returns status, rows.
/// alpha: in, opaque.
CUBIND_EXPORT Result<toyStatus, int> toyScale(toyBox box, const void* alpha, int rows) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
