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
#if __has_include(<toy_later.h>)
#include <toy_later.h>
#endif
#if __has_include(<toy_base.h>)
#include <toy_base.h>
#endif

// Types that the vendor deprecates are bound, too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace CUBIND_NAMESPACE::toy {

#if TOY_VERSION >= 13040
constexpr ::toyStatus to_vendor(toyStatus value) noexcept { return static_cast<::toyStatus>(value); }
constexpr toyStatus from_vendor(::toyStatus value) noexcept { return static_cast<toyStatus>(value); }
#endif

}  // namespace CUBIND_NAMESPACE::toy

#pragma GCC diagnostic pop
