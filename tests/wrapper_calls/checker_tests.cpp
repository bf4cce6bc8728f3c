// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The checker finds the mistakes that a wrapper can have, and none in one that is right.
#include "checker.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cubind/call.hpp>

#include "row.hpp"

namespace cubind::testing {
namespace {

using cubind::Result;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

enum Status : int {};

struct Record {
    char kind;
    int number;
};

}  // namespace

template <>
inline constexpr Layout layout<Record>{{{1, 3}}, {}};

namespace {

constinit cubind::Library toy{.name = "toy", .environment_variable = "CUBIND_TOY_LIBRARY"};
constinit cubind::EntryPoint entry{.symbol = "toyDo", .since = "1.0", .library = &toy};
constinit cubind::EntryPoint other{.symbol = "toyUndo", .since = "1.0", .library = &toy};
constinit cubind::Library game{.name = "game"};
constinit cubind::EntryPoint other_library{.symbol = "toyUndo", .since = "1.0", .library = &game};
cubind::EntryPoint* const all[] = {&entry, &other};
cubind::EntryPoint* known_as = &entry;

/// Status toyDo(int* first, short in, int* second, Record* record, short other), the record going in and out.
using C = Status(int*, short, int*, Record*, short);
using Answer = Result<Status, int, int, Record>;
using Wrapper = Answer(short, const Record&, short) noexcept;

template <class Given>
std::vector<std::string> check_wrapper(Given* wrapper, const Special& special = {}) {
    const FunctionList list{"toy", "mode", {all, all + 2}, [](void (*)()) { return known_as; }, {}};
    return check(function<C, Wrapper>("group", "toyDo", "toyDo", "opobp", "first in second record other", wrapper, special),
                 list);
}

/// The complaints of a wrapper that is right but for what `Call` does.
template <class Call>
std::vector<std::string> check_call(Call) {
    return check_wrapper(+[](short in, const Record& record, short last) noexcept {
        Answer result{};
        result.value3 = record;
        Call()(result, in, last);
        return result;
    });
}

Status call_toy(cubind::EntryPoint& called, int* first, short in, int* second, Record* record, short last) {
    return cubind::call<C>(called, first, in, second, record, last);
}

template <class Matcher>
void expect_complaint(const std::vector<std::string>& complaints, const Matcher& matcher) {
    EXPECT_THAT(complaints, ::testing::Contains(matcher));
    for (const std::string& each : complaints) EXPECT_THAT(each, ::testing::StartsWith("toy::toyDo (mode) "));
}

TEST(Checker, HasNothingAgainstAWrapperThatIsRight) {
    EXPECT_THAT(check_call([](Answer& result, short in, short last) {
                    result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
                }),
                IsEmpty());
}

TEST(Checker, FindsSwappedArguments) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, last, &result.value2, &result.value3, in);
    });
    expect_complaint(complaints, HasSubstr("C parameter 2, in, arrives as "));
    expect_complaint(complaints, HasSubstr("C parameter 5, other, arrives as "));
}

TEST(Checker, FindsSwappedValues) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value2, in, &result.value1, &result.value3, last);
    });
    expect_complaint(complaints, HasSubstr("gives value 1 as "));
    expect_complaint(complaints, HasSubstr("gives value 2 as "));
}

TEST(Checker, FindsAValueThatIsNotGivenBack) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        int lost = 0;
        result.status = call_toy(entry, &result.value1, in, &lost, &result.value3, last);
    });
    expect_complaint(complaints, HasSubstr("gives value 2 as 00 00 00 00, not "));
}

TEST(Checker, FindsAValueThatIsLostOnFailure) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
        if (!result.ok()) result.value1 = 0;
    });
    expect_complaint(complaints, ::testing::AllOf(HasSubstr("gives value 1 as "), HasSubstr("(the call fails)")));
    EXPECT_THAT(complaints, ::testing::Each(::testing::Not(HasSubstr("(the call succeeds)"))));
}

TEST(Checker, FindsAnOutputThatIsNull) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, in, nullptr, &result.value3, last);
    });
    expect_complaint(complaints, HasSubstr("C parameter 3, second, is null, not the address of a value"));
}

TEST(Checker, FindsValuesThatDoNotStartAsTheyShould) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        result.value1 = 7;
        result.value3 = {};
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
    });
    expect_complaint(complaints, HasSubstr("C parameter 1, first, points to 07 00 00 00, not 00 00 00 00"));
    expect_complaint(complaints, HasSubstr("C parameter 4, record, points to 00 "));
}

TEST(Checker, FindsAStatusThatIsLost) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        static_cast<void>(call_toy(entry, &result.value1, in, &result.value2, &result.value3, last));
    });
    expect_complaint(complaints, HasSubstr("gives the status 00 00 00 00, not "));
}

TEST(Checker, FindsAnotherSymbol) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(other, &result.value1, in, &result.value2, &result.value3, last);
    });
    expect_complaint(complaints, HasSubstr("calls it 0 times; last_failure() names toyUndo"));
}

TEST(Checker, FindsASecondCall) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
    });
    expect_complaint(complaints, HasSubstr("calls it 2 times"));
}

TEST(Checker, FindsAFailureThatIsNotTold) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        result.status = cubind::call_plain<C>(entry, &result.value1, in, &result.value2, &result.value3, last);
    });
    expect_complaint(complaints, HasSubstr("makes last_failure() tell the status "));
}

TEST(Checker, FindsAFailureOfASuccess) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
        if (result.ok()) cubind::detail::status_failed(other, 1);
    });
    expect_complaint(complaints, HasSubstr("changes last_failure() without a failure"));
}

TEST(Checker, FindsAFailureOfAnotherFunction) {
    const auto complaints = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
        if (!result.ok()) cubind::detail::status_failed(other_library, result.status);
    });
    expect_complaint(complaints, HasSubstr("makes last_failure() name the function toyUndo"));
    expect_complaint(complaints, HasSubstr("makes last_failure() name the library game"));
}

TEST(Checker, FindsAnotherType) {
    expect_complaint(check_wrapper(+[](int, const Record&, short) noexcept { return Answer{}; }),
                     ::testing::AllOf(HasSubstr("has another type than "), HasSubstr("(int, ")));
}

Answer right_wrapper(short in, const Record& record, short last) noexcept {
    Answer result{};
    result.value3 = record;
    result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
    return result;
}

TEST(Checker, FindsAWrapperThatIsNotKnown) {
    known_as = &other;
    expect_complaint(check_wrapper(&right_wrapper), HasSubstr("is not known as a wrapper of the symbol toyDo"));
    known_as = &entry;
}

TEST(Checker, FindsAnotherLibrary) {
    entry.library = &game;
    expect_complaint(check_wrapper(&right_wrapper), HasSubstr("is of the library game"));
    entry.library = &toy;
}

TEST(Checker, FindsANameThatMeansAnotherFunction) {
    const auto list_with = [](const char* mode, void (*wrapper)()) {
        return FunctionList{"toy", mode, {all, all + 2}, nullptr, {same("group", "toyDo", "toyDo", wrapper)}};
    };
    const FunctionList first = list_with("first", [] {});
    const FunctionList second = list_with("second", [] {});
    EXPECT_THAT(check_same(first.functions[0], first, first), IsEmpty());
    EXPECT_THAT(check_same(second.functions[0], second, first),
                ::testing::ElementsAre("toy::toyDo (second) is another function than with the first"));
}

TEST(Checker, FindsAnotherDefault) {
    const auto with_default = [](short value) {
        const FunctionList list{"toy", "mode", {all, all + 2}, [](void (*)()) { return known_as; }, {}};
        Special special{.left_out = value == 3 ? [](LeftOut& values) { values.add<short>(3); }
                                               : [](LeftOut& values) { values.add<short>(4); }};
        using Shorter = Answer(short, const Record&) noexcept;
        return check(function<C, Shorter>(
                         "group", "toyDo", "toyDo", "opobp", "first in second record other",
                         +[](short in, const Record& record) noexcept { return right_wrapper(in, record, 3); }, special),
                     list);
    };
    EXPECT_THAT(with_default(3), IsEmpty());
    expect_complaint(with_default(4), HasSubstr("C parameter 5, other, arrives as 03 00, not 04 00"));
}

TEST(Checker, FindsBitsThatAreNotAdapted) {
    const Special special{.adapted = 1, .unless = 3, .set = 2};
    expect_complaint(check_wrapper(&right_wrapper, special), HasSubstr("C parameter 2, in, arrives as "));
    expect_complaint(check_wrapper(
                         +[](short in, const Record& record, short last) noexcept {
                             return right_wrapper(static_cast<short>(in | 2), record, last);
                         },
                         special),
                     HasSubstr("C parameter 2, in, arrives as "));
    EXPECT_THAT(check_wrapper(
                    +[](short in, const Record& record, short last) noexcept {
                        return right_wrapper((in & 3) == 0 ? static_cast<short>(in | 2) : in, record, last);
                    },
                    special),
                IsEmpty());
}

TEST(Checker, FindsAPlainAnswerThatIsLost) {
    const FunctionList list{"toy", "mode", {all, all + 2}, [](void (*)()) { return known_as; }, {}};
    using Plain = const char*(int) noexcept;
    const auto checked = [&](Plain* wrapper) {
        return check(function<const char*(int), Plain>("group", "toyDo", "toyDo", "p", "number", wrapper), list);
    };
    EXPECT_THAT(checked([](int number) noexcept { return cubind::call_plain<const char*(int)>(entry, number); }), IsEmpty());
    expect_complaint(checked([](int number) noexcept -> const char* {
                         static_cast<void>(cubind::call_plain<const char*(int)>(entry, number));
                         return nullptr;
                     }),
                     HasSubstr("returns 00 00 00 00 00 00 00 00, not "));
}

}  // namespace
}  // namespace cubind::testing
