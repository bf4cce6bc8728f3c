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

#if TOY_VERSION >= 12000
constexpr ::toyStatus to_vendor(toyStatus value) noexcept { return static_cast<::toyStatus>(value); }
constexpr toyStatus from_vendor(::toyStatus value) noexcept { return static_cast<toyStatus>(value); }
static_assert(sizeof(toyStatus) == sizeof(::toyStatus));
static_assert(static_cast<long long>(TOY_OK) == static_cast<long long>(::TOY_OK));
static_assert(static_cast<long long>(TOY_NO_LIBRARY) == static_cast<long long>(::TOY_NO_LIBRARY));
static_assert(static_cast<long long>(TOY_NO_FUNCTION) == static_cast<long long>(::TOY_NO_FUNCTION));
#endif

#if TOY_VERSION >= 13040
static_assert(sizeof(toyParams) == sizeof(::toyParams));
#endif

#if TOY_VERSION >= 13040
inline ::toyParams_st to_vendor(const toyParams_st& value) noexcept { return __builtin_bit_cast(::toyParams_st, value); }
inline toyParams_st from_vendor(const ::toyParams_st& value) noexcept { return __builtin_bit_cast(toyParams_st, value); }
static_assert(sizeof(toyParams_st) == sizeof(::toyParams_st) && alignof(toyParams_st) == alignof(::toyParams_st));
static_assert(offsetof(toyParams_st, kind) == offsetof(::toyParams_st, kind));
static_assert(offsetof(toyParams_st, depth) == offsetof(::toyParams_st, depth));
static_assert(offsetof(toyParams_st, mask) == offsetof(::toyParams_st, mask));
static_assert(offsetof(toyParams_st, speed) == offsetof(::toyParams_st, speed));
static_assert(offsetof(toyParams_st, reserved) == offsetof(::toyParams_st, reserved));
#endif

}  // namespace cubind::toy
