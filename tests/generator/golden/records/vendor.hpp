// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Conversions between the types here and the vendor's own, and the proof that both have one layout: compiling this header against
/// a release's headers is the test. What those headers do not have yet, no longer, or in an earlier form is passed over; so is all where
/// there is no <toy_base.h> to tell the release.

#include <cubind/toy/types.hpp>

#include <toy.h>
#if __has_include(<toy_base.h>)
#include <toy_base.h>
#endif

namespace cubind::toy {

#if TOY_VERSION >= 13040
constexpr ::toyStatus to_vendor(toyStatus value) noexcept { return static_cast<::toyStatus>(value); }
constexpr toyStatus from_vendor(::toyStatus value) noexcept { return static_cast<toyStatus>(value); }
static_assert(sizeof(toyStatus) == sizeof(::toyStatus));
static_assert(static_cast<long long>(TOY_OK) == static_cast<long long>(::TOY_OK));
static_assert(static_cast<long long>(TOY_NO_LIBRARY) == static_cast<long long>(::TOY_NO_LIBRARY));
static_assert(static_cast<long long>(TOY_NO_FUNCTION) == static_cast<long long>(::TOY_NO_FUNCTION));
#endif

#if TOY_VERSION >= 13040
static_assert(sizeof(toyLine) == sizeof(::toyLine));
#endif

#if TOY_VERSION >= 13040
inline ::toyLine_st to_vendor(const toyLine_st& value) noexcept { return __builtin_bit_cast(::toyLine_st, value); }
inline toyLine_st from_vendor(const ::toyLine_st& value) noexcept { return __builtin_bit_cast(toyLine_st, value); }
static_assert(sizeof(toyLine_st) == sizeof(::toyLine_st) && alignof(toyLine_st) == alignof(::toyLine_st));
static_assert(offsetof(toyLine_st, bytes) == offsetof(::toyLine_st, bytes));
#endif

#if TOY_VERSION >= 13040
static_assert(sizeof(toyLines) == sizeof(::toyLines));
#endif

#if TOY_VERSION >= 13040
inline ::toyLines_st to_vendor(const toyLines_st& value) noexcept { return __builtin_bit_cast(::toyLines_st, value); }
inline toyLines_st from_vendor(const ::toyLines_st& value) noexcept { return __builtin_bit_cast(toyLines_st, value); }
static_assert(sizeof(toyLines_st) == sizeof(::toyLines_st) && alignof(toyLines_st) == alignof(::toyLines_st));
static_assert(offsetof(toyLines_st, first) == offsetof(::toyLines_st, first));
static_assert(offsetof(toyLines_st, end) == offsetof(::toyLines_st, end));
#endif

#if TOY_VERSION >= 13040
static_assert(sizeof(toyWord) == sizeof(::toyWord));
#endif

#if TOY_VERSION >= 13040
inline ::toyWord_un to_vendor(const toyWord_un& value) noexcept { return __builtin_bit_cast(::toyWord_un, value); }
inline toyWord_un from_vendor(const ::toyWord_un& value) noexcept { return __builtin_bit_cast(toyWord_un, value); }
static_assert(sizeof(toyWord_un) == sizeof(::toyWord_un) && alignof(toyWord_un) == alignof(::toyWord_un));
static_assert(offsetof(toyWord_un, whole) == offsetof(::toyWord_un, whole));
static_assert(offsetof(toyWord_un, halves) == offsetof(::toyWord_un, halves));
#endif

#if TOY_VERSION >= 13040
inline ::toyPlain to_vendor(const toyPlain& value) noexcept { return __builtin_bit_cast(::toyPlain, value); }
inline toyPlain from_vendor(const ::toyPlain& value) noexcept { return __builtin_bit_cast(toyPlain, value); }
static_assert(sizeof(toyPlain) == sizeof(::toyPlain) && alignof(toyPlain) == alignof(::toyPlain));
static_assert(offsetof(toyPlain, word) == offsetof(::toyPlain, word));
#endif

#if TOY_VERSION >= 13040
static_assert(sizeof(toyPoint) == sizeof(::toyPoint));
#endif

#if TOY_VERSION >= 13040
inline ::toyPoint_st to_vendor(const toyPoint_st& value) noexcept { return __builtin_bit_cast(::toyPoint_st, value); }
inline toyPoint_st from_vendor(const ::toyPoint_st& value) noexcept { return __builtin_bit_cast(toyPoint_st, value); }
static_assert(sizeof(toyPoint_st) == sizeof(::toyPoint_st) && alignof(toyPoint_st) == alignof(::toyPoint_st));
static_assert(offsetof(toyPoint_st, x) == offsetof(::toyPoint_st, x));
static_assert(offsetof(toyPoint_st, y) == offsetof(::toyPoint_st, y));
#endif

#if TOY_VERSION >= 13040
static_assert(sizeof(toyShape) == sizeof(::toyShape));
#endif

#if TOY_VERSION >= 13040
inline ::toyShape_st to_vendor(const toyShape_st& value) noexcept { return __builtin_bit_cast(::toyShape_st, value); }
inline toyShape_st from_vendor(const ::toyShape_st& value) noexcept { return __builtin_bit_cast(toyShape_st, value); }
static_assert(sizeof(toyShape_st) == sizeof(::toyShape_st) && alignof(toyShape_st) == alignof(::toyShape_st));
static_assert(offsetof(toyShape_st, name) == offsetof(::toyShape_st, name));
static_assert(offsetof(toyShape_st, matrix) == offsetof(::toyShape_st, matrix));
static_assert(offsetof(toyShape_st, corners) == offsetof(::toyShape_st, corners));
static_assert(offsetof(toyShape_st, size) == offsetof(::toyShape_st, size));
static_assert(offsetof(toyShape_st, size.width) == offsetof(::toyShape_st, size.width));
static_assert(offsetof(toyShape_st, size.range) == offsetof(::toyShape_st, size.range));
static_assert(offsetof(toyShape_st, size.range.low) == offsetof(::toyShape_st, size.range.low));
static_assert(offsetof(toyShape_st, size.range.high) == offsetof(::toyShape_st, size.range.high));
static_assert(offsetof(toyShape_st, number) == offsetof(::toyShape_st, number));
static_assert(offsetof(toyShape_st, point) == offsetof(::toyShape_st, point));
static_assert(offsetof(toyShape_st, memory) == offsetof(::toyShape_st, memory));
static_assert(offsetof(toyShape_st, bytes) == offsetof(::toyShape_st, bytes));
static_assert(offsetof(toyShape_st, cells) == offsetof(::toyShape_st, cells));
static_assert(offsetof(toyShape_st, next) == offsetof(::toyShape_st, next));
#endif

}  // namespace cubind::toy
