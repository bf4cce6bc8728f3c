// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Conversions between the enums and records of cubind and those of the vendor's headers. Handles have one type in
/// both. <cubind/toy/vendor_layout.hpp> asserts that the layouts agree.
///
/// A type has no conversions if the included release lacks it or has an earlier form of it.
/// Without <toy_base.h>, which defines TOY_VERSION, no type has conversions.

#include <cubind/toy/types.hpp>

#include <toy.h>
#if __has_include(<toy_base.h>)
#include <toy_base.h>
#endif

#define CUBIND_TOY_VERSION (TOY_VERSION / 1000000 * 1000000 + TOY_VERSION % 1000000 / 1000 * 1000 + TOY_VERSION % 1000)

// Types that the vendor deprecates are bound, too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace CUBIND_NAMESPACE::toy {

#if CUBIND_TOY_VERSION >= 2009003
constexpr ::toyStatus to_vendor(toyStatus value) noexcept { return static_cast<::toyStatus>(value); }
constexpr toyStatus from_vendor(::toyStatus value) noexcept { return static_cast<toyStatus>(value); }
#endif

#if CUBIND_TOY_VERSION >= 2010000
inline ::toySize to_vendor(const toySize& value) noexcept { return __builtin_bit_cast(::toySize, value); }
inline toySize from_vendor(const ::toySize& value) noexcept { return __builtin_bit_cast(toySize, value); }
#endif

}  // namespace CUBIND_NAMESPACE::toy

#pragma GCC diagnostic pop
