// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Result alone: this file includes neither <tuple> nor <utility>.
#include <cubind/long_result.hpp>
#include <cubind/result.hpp>

#include "example_library.hpp"

namespace cubind::testing {

// Compiled before any standard header is included.
constexpr bool bindings_need_no_tuple_header() {
    auto [status] = Result<Status>{failed};
    auto [one, value] = Result<Status, int>{done, 5};
    auto [two, first, second] = Result<Status, int, char>{done, 6, 'x'};
    auto [six, a, b, c, d, e, f] = Result<Status, int, int, int, int, int, int>{done, 1, 2, 3, 4, 5, 6};
    return status == failed && one == done && value == 5 && two == done && first == 6 && second == 'x' && six == done &&
           a + b + c + d + e + f == 21;
}
static_assert(bindings_need_no_tuple_header());

constexpr bool bindings_have_up_to_32_values() {
    auto [status, a, b, c, d, e, f, g] = Result<Status, int, int, int, int, int, int, char>{failed, 1, 2, 3, 4, 5, 6, 'x'};
    using Most = Result<Status, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,
                        int, int, int, int, int, int, int, int, int, int, int, int, int>;
    Most most{};
    most.value32 = 7;
    auto& [s, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23, v24, v25,
           v26, v27, v28, v29, v30, v31, v32] = most;
    v31 = 5;
    return status == failed && a + b + c + d + e + f == 21 && g == 'x' && most.ok() && most.value31 == 5 && v32 == 7;
}
static_assert(bindings_have_up_to_32_values());

}  // namespace cubind::testing

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cubind::testing {
namespace {

template <class R>
constexpr bool is_plain = std::is_aggregate_v<R>&& std::is_trivially_copyable_v<R>&& std::is_standard_layout_v<R>;

using StatusOnly = Result<Status>;
using Handle = Result<Status, void*>;
using Size = Result<Status, std::size_t>;
using SixValues = Result<Status, int, int, int, int, int, int>;
static_assert(is_plain<StatusOnly> && is_plain<Handle> && is_plain<Size> && is_plain<SixValues>);

// Trivially copyable types of at most two registers are returned in registers by the ABIs of x86-64 and arm64.
static_assert(sizeof(StatusOnly) == sizeof(Status));
static_assert(sizeof(Handle) == 16 && sizeof(Size) == 16);
static_assert(sizeof(Result<Status, int, int>) == 12);

struct Big {
    char bytes[100];
};
static_assert(is_plain<Result<Status, Big>>);

TEST(ResultTest, IsOkByItsStatusAlone) {
    EXPECT_TRUE((Result<Status, int>{done, 0}.ok()));
    EXPECT_FALSE((Result<Status, int>{failed, 7}.ok()));
    EXPECT_TRUE(StatusOnly{}.ok());
}

TEST(ResultTest, InitializesItsValuesWithZero) {
    const SixValues result{};
    EXPECT_EQ(result.status, done);
    EXPECT_EQ(result.value1, 0);
    EXPECT_EQ(result.value6, 0);
    EXPECT_EQ(Handle{}.value, nullptr);
}

TEST(ResultTest, BindsReferencesToItsMembers) {
    Result<Status, int, int> result{};
    auto& [status, first, second] = result;
    status = failed;
    first = 3;
    second = 4;
    EXPECT_EQ(result.status, failed);
    EXPECT_EQ(result.value1, 3);
    EXPECT_EQ(result.value2, 4);
}

}  // namespace
}  // namespace cubind::testing
