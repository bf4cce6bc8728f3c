// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Conversions between the enums and records of cubind and those of the vendor's headers. Handles have one type in
/// both. <cubind/toy/vendor_layout.hpp> asserts that the layouts agree.
///
/// A type has no conversions if the included release lacks it or has an earlier form of it.
/// Types of <toyBox.h>, <toyTools.h> have conversions if that header is included before this
/// one. This header includes neither it nor the headers of other software that it requires.
/// Without <toy_base.h>, which defines TOY_VERSION, no type has conversions.

#include <cubind/toy/types.hpp>

#include <toy.h>
#if __has_include(<toy_base.h>)
#include <toy_base.h>
#endif

// Types that the vendor deprecates are bound, too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace CUBIND_NAMESPACE::toy {

#if TOY_VERSION >= 13040 && defined(TOY_BOX_H)
constexpr ::toyBoxState to_vendor(toyBoxState value) noexcept { return static_cast<::toyBoxState>(value); }
constexpr toyBoxState from_vendor(::toyBoxState value) noexcept { return static_cast<toyBoxState>(value); }
#endif

#if TOY_VERSION >= 13040
constexpr ::toyStatus to_vendor(toyStatus value) noexcept { return static_cast<::toyStatus>(value); }
constexpr toyStatus from_vendor(::toyStatus value) noexcept { return static_cast<toyStatus>(value); }
#endif

#if TOY_VERSION >= 13040 && defined(TOY_BOX_H)
inline ::toyBox to_vendor(const toyBox& value) noexcept { return __builtin_bit_cast(::toyBox, value); }
inline toyBox from_vendor(const ::toyBox& value) noexcept { return __builtin_bit_cast(toyBox, value); }
#endif

}  // namespace CUBIND_NAMESPACE::toy

#pragma GCC diagnostic pop
