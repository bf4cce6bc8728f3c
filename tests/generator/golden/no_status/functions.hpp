// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace cubind::toy {

/// Since 13.4.
std::size_t toyCount() noexcept;

/// Since 13.4.
/// grams: out, value.
int toyMeasure(toyBox box, double* grams) noexcept;

/// Since 13.4.
void toyReset() noexcept;

/// Since 13.4.
const char* toyText(toyStatus status) noexcept;


}  // namespace cubind::toy
