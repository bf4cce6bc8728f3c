// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Results with 7 to 32 values. This is a separate header because few functions write that many values.

#include <cubind/result.hpp>

namespace CUBIND_NAMESPACE {

// CUBIND_EACH_n(use) expands use(1) to use(n). A value is a direct member of its result, so that structured bindings work.
#define CUBIND_EACH_6(use) use(1) use(2) use(3) use(4) use(5) use(6)
#define CUBIND_EACH_7(use) CUBIND_EACH_6(use) use(7)
#define CUBIND_EACH_8(use) CUBIND_EACH_7(use) use(8)
#define CUBIND_EACH_9(use) CUBIND_EACH_8(use) use(9)
#define CUBIND_EACH_10(use) CUBIND_EACH_9(use) use(10)
#define CUBIND_EACH_11(use) CUBIND_EACH_10(use) use(11)
#define CUBIND_EACH_12(use) CUBIND_EACH_11(use) use(12)
#define CUBIND_EACH_13(use) CUBIND_EACH_12(use) use(13)
#define CUBIND_EACH_14(use) CUBIND_EACH_13(use) use(14)
#define CUBIND_EACH_15(use) CUBIND_EACH_14(use) use(15)
#define CUBIND_EACH_16(use) CUBIND_EACH_15(use) use(16)
#define CUBIND_EACH_17(use) CUBIND_EACH_16(use) use(17)
#define CUBIND_EACH_18(use) CUBIND_EACH_17(use) use(18)
#define CUBIND_EACH_19(use) CUBIND_EACH_18(use) use(19)
#define CUBIND_EACH_20(use) CUBIND_EACH_19(use) use(20)
#define CUBIND_EACH_21(use) CUBIND_EACH_20(use) use(21)
#define CUBIND_EACH_22(use) CUBIND_EACH_21(use) use(22)
#define CUBIND_EACH_23(use) CUBIND_EACH_22(use) use(23)
#define CUBIND_EACH_24(use) CUBIND_EACH_23(use) use(24)
#define CUBIND_EACH_25(use) CUBIND_EACH_24(use) use(25)
#define CUBIND_EACH_26(use) CUBIND_EACH_25(use) use(26)
#define CUBIND_EACH_27(use) CUBIND_EACH_26(use) use(27)
#define CUBIND_EACH_28(use) CUBIND_EACH_27(use) use(28)
#define CUBIND_EACH_29(use) CUBIND_EACH_28(use) use(29)
#define CUBIND_EACH_30(use) CUBIND_EACH_29(use) use(30)
#define CUBIND_EACH_31(use) CUBIND_EACH_30(use) use(31)
#define CUBIND_EACH_32(use) CUBIND_EACH_31(use) use(32)

#define CUBIND_VALUE_CLASS(n) , class V##n
#define CUBIND_VALUE_ARGUMENT(n) , V##n
#define CUBIND_VALUE_MEMBER(n) V##n value##n;
#define CUBIND_RESULT(count)                                                          \
    template <class Status CUBIND_EACH_##count(CUBIND_VALUE_CLASS)>                   \
    struct [[nodiscard]] Result<Status CUBIND_EACH_##count(CUBIND_VALUE_ARGUMENT)> {  \
        Status status;                                                                \
        CUBIND_EACH_##count(CUBIND_VALUE_MEMBER) constexpr bool ok() const noexcept { \
            return StatusTraits<Status>::is_success(status);                          \
        }                                                                             \
    };

CUBIND_RESULT(7)
CUBIND_RESULT(8)
CUBIND_RESULT(9)
CUBIND_RESULT(10)
CUBIND_RESULT(11)
CUBIND_RESULT(12)
CUBIND_RESULT(13)
CUBIND_RESULT(14)
CUBIND_RESULT(15)
CUBIND_RESULT(16)
CUBIND_RESULT(17)
CUBIND_RESULT(18)
CUBIND_RESULT(19)
CUBIND_RESULT(20)
CUBIND_RESULT(21)
CUBIND_RESULT(22)
CUBIND_RESULT(23)
CUBIND_RESULT(24)
CUBIND_RESULT(25)
CUBIND_RESULT(26)
CUBIND_RESULT(27)
CUBIND_RESULT(28)
CUBIND_RESULT(29)
CUBIND_RESULT(30)
CUBIND_RESULT(31)
CUBIND_RESULT(32)

namespace detail {

/// Selects a value of a result by a number.
template <unsigned long index>
struct ValueIndex {};

#define CUBIND_VALUE_ACCESSOR(n)                                       \
    template <class Result>                                            \
    constexpr auto& value_of(Result& result, ValueIndex<n>) noexcept { \
        return result.value##n;                                        \
    }
CUBIND_EACH_32(CUBIND_VALUE_ACCESSOR)

}  // namespace detail

#undef CUBIND_VALUE_ACCESSOR
#undef CUBIND_RESULT
#undef CUBIND_VALUE_MEMBER
#undef CUBIND_VALUE_ARGUMENT
#undef CUBIND_VALUE_CLASS
#undef CUBIND_EACH_6
#undef CUBIND_EACH_7
#undef CUBIND_EACH_8
#undef CUBIND_EACH_9
#undef CUBIND_EACH_10
#undef CUBIND_EACH_11
#undef CUBIND_EACH_12
#undef CUBIND_EACH_13
#undef CUBIND_EACH_14
#undef CUBIND_EACH_15
#undef CUBIND_EACH_16
#undef CUBIND_EACH_17
#undef CUBIND_EACH_18
#undef CUBIND_EACH_19
#undef CUBIND_EACH_20
#undef CUBIND_EACH_21
#undef CUBIND_EACH_22
#undef CUBIND_EACH_23
#undef CUBIND_EACH_24
#undef CUBIND_EACH_25
#undef CUBIND_EACH_26
#undef CUBIND_EACH_27
#undef CUBIND_EACH_28
#undef CUBIND_EACH_29
#undef CUBIND_EACH_30
#undef CUBIND_EACH_31
#undef CUBIND_EACH_32

}  // namespace CUBIND_NAMESPACE
