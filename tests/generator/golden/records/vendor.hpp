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

// Types that the vendor deprecates are bound, too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace CUBIND_NAMESPACE::toy {

#if TOY_VERSION >= 13040
constexpr ::toyStatus to_vendor(toyStatus value) noexcept { return static_cast<::toyStatus>(value); }
constexpr toyStatus from_vendor(::toyStatus value) noexcept { return static_cast<toyStatus>(value); }

inline ::toyLine_st to_vendor(const toyLine_st& value) noexcept { return __builtin_bit_cast(::toyLine_st, value); }
inline toyLine_st from_vendor(const ::toyLine_st& value) noexcept { return __builtin_bit_cast(toyLine_st, value); }

inline ::toyLines_st to_vendor(const toyLines_st& value) noexcept { return __builtin_bit_cast(::toyLines_st, value); }
inline toyLines_st from_vendor(const ::toyLines_st& value) noexcept { return __builtin_bit_cast(toyLines_st, value); }

inline ::toyWord_un to_vendor(const toyWord_un& value) noexcept { return __builtin_bit_cast(::toyWord_un, value); }
inline toyWord_un from_vendor(const ::toyWord_un& value) noexcept { return __builtin_bit_cast(toyWord_un, value); }

inline ::toyPlain to_vendor(const toyPlain& value) noexcept { return __builtin_bit_cast(::toyPlain, value); }
inline toyPlain from_vendor(const ::toyPlain& value) noexcept { return __builtin_bit_cast(toyPlain, value); }

inline ::toyPoint_st to_vendor(const toyPoint_st& value) noexcept { return __builtin_bit_cast(::toyPoint_st, value); }
inline toyPoint_st from_vendor(const ::toyPoint_st& value) noexcept { return __builtin_bit_cast(toyPoint_st, value); }

inline ::toyRequest_st to_vendor(const toyRequest_st& value) noexcept { return __builtin_bit_cast(::toyRequest_st, value); }
inline toyRequest_st from_vendor(const ::toyRequest_st& value) noexcept { return __builtin_bit_cast(toyRequest_st, value); }

inline ::toyShape_st to_vendor(const toyShape_st& value) noexcept { return __builtin_bit_cast(::toyShape_st, value); }
inline toyShape_st from_vendor(const ::toyShape_st& value) noexcept { return __builtin_bit_cast(toyShape_st, value); }
#endif

}  // namespace CUBIND_NAMESPACE::toy

#pragma GCC diagnostic pop
