// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Result with <cubind/tuple.hpp>.
#include <cubind/tuple.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "example_library.hpp"

namespace cubind::testing {
namespace {

using One = Result<Status, int>;
using Two = Result<Status, int, std::string>;
using Six = Result<Status, int, int, int, int, int, int>;

static_assert(std::tuple_size_v<Result<Status>> == 1);
static_assert(std::tuple_size_v<One> == 2);
static_assert(std::tuple_size_v<Six> == 7);
static_assert(std::is_same_v<std::tuple_element_t<0, Two>, Status>);
static_assert(std::is_same_v<std::tuple_element_t<1, Two>, int>);
static_assert(std::is_same_v<std::tuple_element_t<2, Two>, std::string>);

// Argument-dependent lookup finds get and apply.
TEST(TupleTest, GetsEveryElement) {
    Six result{failed, 1, 2, 3, 4, 5, 6};
    EXPECT_EQ(get<0>(result), failed);
    EXPECT_EQ(get<1>(result), 1);
    EXPECT_EQ(get<2>(result), 2);
    EXPECT_EQ(get<3>(result), 3);
    EXPECT_EQ(get<4>(result), 4);
    EXPECT_EQ(get<5>(result), 5);
    EXPECT_EQ(get<6>(result), 6);
    EXPECT_EQ(get<1>(One{done, 9}), 9);
}

TEST(TupleTest, PreservesTheValueCategoryInGet) {
    Two result{done, 1, "text"};
    static_assert(std::is_same_v<decltype(get<1>(result)), int&>);
    static_assert(std::is_same_v<decltype(get<1>(std::as_const(result))), const int&>);
    static_assert(std::is_same_v<decltype(get<2>(std::move(result))), std::string&&>);
    get<2>(result) = "other";
    EXPECT_EQ(result.value2, "other");
}

TEST(TupleTest, PassesTheStatusAndThenTheValuesInApply) {
    const auto sum = [](Status status, int a, int b) { return static_cast<int>(status) + a + b; };
    EXPECT_EQ(apply(sum, (Result<Status, int, int>{failed, 10, 100})), 115);
    EXPECT_EQ(apply([](Status status) { return status; }, Result<Status>{failed}), failed);
}

TEST(TupleTest, PrefersItsApplyToThatOfTheStandardLibrary) {
    const auto length = [](Status, int, const std::string& text) { return text.size(); };
    Two result{done, 1, "four"};
    EXPECT_EQ(apply(length, result), 4u);
    EXPECT_EQ(apply(length, std::as_const(result)), 4u);
    EXPECT_EQ(apply(length, Two{done, 1, "three"}), 5u);
}

TEST(TupleTest, ConvertsToAStandardTuple) {
    const Two result{failed, 3, "three"};
    static_assert(std::is_same_v<decltype(to_tuple(result)), std::tuple<Status, int, std::string>>);
    EXPECT_EQ(to_tuple(result), std::make_tuple(failed, 3, std::string("three")));
    EXPECT_EQ(std::get<1>(to_tuple(result)), 3);
    const auto length = [](Status, int, const std::string& text) { return text.size(); };
    EXPECT_EQ(std::apply(length, to_tuple(result)), 5u);
}

TEST(TupleTest, SupportsStructuredBindings) {
    auto [status, number, text] = Two{done, 3, "three"};
    EXPECT_EQ(status, done);
    EXPECT_EQ(number, 3);
    EXPECT_EQ(text, "three");
    auto [alone] = Result<Status>{failed};
    EXPECT_EQ(alone, failed);
    Two stored{};
    auto& [status_in, number_in, text_in] = stored;
    number_in = 8;
    EXPECT_EQ(stored.value1, 8);
    const auto& [status_of, number_of, text_of] = std::as_const(stored);
    EXPECT_EQ(number_of, 8);
}

TEST(TupleTest, MovesIntoStructuredBindings) {
    auto [status, owner] = Result<Status, std::unique_ptr<int>>{done, std::make_unique<int>(4)};
    EXPECT_EQ(*owner, 4);
}

}  // namespace
}  // namespace cubind::testing
