// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4.
CUBIND_EXPORT size_t toyCount() noexcept;

/// Since 13.4.
/// grams: out, value.
CUBIND_EXPORT int toyMeasure(toyBox box, double* grams) noexcept;

/// Since 13.4.
CUBIND_EXPORT void toyReset() noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyStart() noexcept;

/// Since 13.4.
CUBIND_EXPORT const char* toyText(toyStatus status) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
