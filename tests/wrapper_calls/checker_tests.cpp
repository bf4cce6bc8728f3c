// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that the checker finds each kind of mistake in a wrapper, and accepts a correct wrapper.
#include <cubind/call.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "checker.hpp"
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
cubind::EntryPoint* registered_entry = &entry;

/// Status toyDo(int* first, short in, int* second, Record* record, short other), where `record` is an input and an output.
using C = Status(int*, short, int*, Record*, short);
using Answer = Result<Status, int, int, Record>;
using Wrapper = Answer(short, const Record&, short) noexcept;

template <class Given>
std::vector<std::string> check_wrapper(Given* wrapper, const Special& special = {}) {
    const FunctionList list{"toy", "mode", {all, all + 2}, [](void (*)()) { return registered_entry; }, {}};
    return check(function<C, Wrapper>("group", "toyDo", "toyDo", "opobp", "first in second record other", wrapper, special),
                 list);
}

/// Returns the errors of a wrapper that makes its call with `Call`.
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

// Matches an error that contains each of the parts.
template <class... Parts>
auto mentions(const Parts&... parts) {
    return ::testing::AllOf(HasSubstr(std::string(parts))...);
}

template <class Matcher>
void expect_error(const std::vector<std::string>& errors, const Matcher& matcher) {
    EXPECT_THAT(errors, ::testing::Contains(matcher));
    for (const std::string& each : errors) EXPECT_THAT(each, ::testing::StartsWith("toy::toyDo (mode) "));
}

TEST(CheckerTest, AcceptsACorrectWrapper) {
    EXPECT_THAT(check_call([](Answer& result, short in, short last) {
                    result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
                }),
                IsEmpty());
}

TEST(CheckerTest, FindsSwappedArguments) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, last, &result.value2, &result.value3, in);
    });
    expect_error(errors, mentions("parameter 2", "in", "arrives"));
    expect_error(errors, mentions("parameter 5", "other", "arrives"));
}

TEST(CheckerTest, FindsSwappedValues) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value2, in, &result.value1, &result.value3, last);
    });
    expect_error(errors, mentions("value 1"));
    expect_error(errors, mentions("value 2"));
}

TEST(CheckerTest, FindsAValueThatIsNotReturned) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        int lost = 0;
        result.status = call_toy(entry, &result.value1, in, &lost, &result.value3, last);
    });
    expect_error(errors, mentions("value 2", "00 00 00 00"));
}

TEST(CheckerTest, FindsAValueThatIsLostOnFailure) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
        if (!result.ok()) result.value1 = 0;
    });
    expect_error(errors, mentions("value 1", "(the call fails)"));
    EXPECT_THAT(errors, ::testing::Each(::testing::Not(HasSubstr("(the call succeeds)"))));
}

TEST(CheckerTest, FindsANullOutput) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, in, nullptr, &result.value3, last);
    });
    expect_error(errors, mentions("parameter 3", "second", "null"));
}

TEST(CheckerTest, FindsWrongInitialValues) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        result.value1 = 7;
        result.value3 = {};
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
    });
    expect_error(errors, mentions("parameter 1", "first", "07 00 00 00", "00 00 00 00"));
    expect_error(errors, mentions("parameter 4", "record", "points to 00 "));
}

TEST(CheckerTest, FindsALostStatus) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        static_cast<void>(call_toy(entry, &result.value1, in, &result.value2, &result.value3, last));
    });
    expect_error(errors, mentions("status", "00 00 00 00"));
}

TEST(CheckerTest, FindsAnotherSymbol) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(other, &result.value1, in, &result.value2, &result.value3, last);
    });
    expect_error(errors, mentions("0 times", "last_failure()", "toyUndo"));
}

TEST(CheckerTest, FindsASecondCall) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
    });
    expect_error(errors, mentions("2 times"));
}

TEST(CheckerTest, FindsAFailureThatIsNotReported) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        result.status = cubind::call_plain<C>(entry, &result.value1, in, &result.value2, &result.value3, last);
    });
    expect_error(errors, mentions("status", "last_failure()"));
}

TEST(CheckerTest, FindsAFailureReportedForASuccess) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
        if (result.ok()) cubind::detail::record_failed_status(other, 1);
    });
    expect_error(errors, mentions("changes", "last_failure()"));
}

TEST(CheckerTest, FindsAFailureReportedForAnotherFunction) {
    const auto errors = check_call([](Answer& result, short in, short last) {
        result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
        if (!result.ok()) cubind::detail::record_failed_status(other_library, result.status);
    });
    expect_error(errors, mentions("function", "last_failure()", "toyUndo"));
    expect_error(errors, mentions("library", "last_failure()", "game"));
}

TEST(CheckerTest, FindsAnotherWrapperType) {
    expect_error(check_wrapper(+[](int, const Record&, short) noexcept { return Answer{}; }), mentions("type", "(int, "));
}

Answer correct_wrapper(short in, const Record& record, short last) noexcept {
    Answer result{};
    result.value3 = record;
    result.status = call_toy(entry, &result.value1, in, &result.value2, &result.value3, last);
    return result;
}

TEST(CheckerTest, FindsAWrapperThatIsNotRegistered) {
    registered_entry = &other;
    expect_error(check_wrapper(&correct_wrapper), mentions("wrapper of the symbol toyDo"));
    registered_entry = &entry;
}

TEST(CheckerTest, FindsAnotherLibrary) {
    entry.library = &game;
    expect_error(check_wrapper(&correct_wrapper), mentions("library game"));
    entry.library = &toy;
}

TEST(CheckerTest, FindsANameThatDenotesAnotherFunction) {
    const auto list_with = [](const char* mode, void (*wrapper)()) {
        return FunctionList{"toy", mode, {all, all + 2}, nullptr, {same("group", "toyDo", "toyDo", wrapper)}};
    };
    const FunctionList first = list_with("first", [] {});
    const FunctionList second = list_with("second", [] {});
    EXPECT_THAT(check_same(first.functions[0], first, first), IsEmpty());
    EXPECT_THAT(check_same(second.functions[0], second, first), ::testing::ElementsAre(mentions("toy::toyDo (second)", "first")));
}

TEST(CheckerTest, FindsAnotherDefaultArgument) {
    const auto with_default = [](short value) {
        const FunctionList list{"toy", "mode", {all, all + 2}, [](void (*)()) { return registered_entry; }, {}};
        Special special{.omitted_arguments = value == 3 ? [](OmittedArguments& values) { values.add<short>(3); }
                                                        : [](OmittedArguments& values) { values.add<short>(4); }};
        using Shorter = Answer(short, const Record&) noexcept;
        return check(function<C, Shorter>(
                         "group", "toyDo", "toyDo", "opobp", "first in second record other",
                         +[](short in, const Record& record) noexcept { return correct_wrapper(in, record, 3); }, special),
                     list);
    };
    EXPECT_THAT(with_default(3), IsEmpty());
    expect_error(with_default(4), mentions("parameter 5", "other", "03 00", "04 00"));
}

TEST(CheckerTest, FindsBitsThatAreNotAdapted) {
    const Special special{.adapted = 1, .unless = 3, .set = 2};
    expect_error(check_wrapper(&correct_wrapper, special), mentions("parameter 2", "in", "arrives"));
    expect_error(check_wrapper(
                     +[](short in, const Record& record, short last) noexcept {
                         return correct_wrapper(static_cast<short>(in | 2), record, last);
                     },
                     special),
                 mentions("parameter 2", "in", "arrives"));
    EXPECT_THAT(check_wrapper(
                    +[](short in, const Record& record, short last) noexcept {
                        return correct_wrapper((in & 3) == 0 ? static_cast<short>(in | 2) : in, record, last);
                    },
                    special),
                IsEmpty());
}

TEST(CheckerTest, FindsALostResultWithoutStatus) {
    const FunctionList list{"toy", "mode", {all, all + 2}, [](void (*)()) { return registered_entry; }, {}};
    using Plain = const char*(int) noexcept;
    const auto checked = [&](Plain* wrapper) {
        return check(function<const char*(int), Plain>("group", "toyDo", "toyDo", "p", "number", wrapper), list);
    };
    EXPECT_THAT(checked([](int number) noexcept { return cubind::call_plain<const char*(int)>(entry, number); }), IsEmpty());
    expect_error(checked([](int number) noexcept -> const char* {
                     static_cast<void>(cubind::call_plain<const char*(int)>(entry, number));
                     return nullptr;
                 }),
                 mentions("returns", "00 00 00 00 00 00 00 00"));
}

}  // namespace
}  // namespace cubind::testing
