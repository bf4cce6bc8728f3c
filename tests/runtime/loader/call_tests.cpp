// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/call.hpp>
#include <cubind/result.hpp>

#include <cstring>
#include <thread>

#include "loader_test.hpp"

namespace cubind::testing {

namespace {

enum Status : unsigned { success = 0 };

struct Wide {
    long a, b, c;
};

/// A status with details, as some libraries return it.
struct Detailed {
    Status error;
    int detail;
};

using Eleven = Status(int, int, int, int, int, int, short, long, double, Wide, long*);

}  // namespace
}  // namespace cubind::testing

namespace CUBIND_NAMESPACE {

template <>
struct StatusTraits<testing::Detailed> {
    static constexpr bool is_success(const testing::Detailed& status) noexcept { return status.error == testing::success; }
    static constexpr int code(const testing::Detailed& status) noexcept { return static_cast<int>(status.error); }
    static constexpr testing::Detailed from_code(int code) noexcept { return {static_cast<testing::Status>(code), 0}; }
};

}  // namespace CUBIND_NAMESPACE

namespace cubind::testing {

class LoaderCallTest : public LoaderTest {
protected:
    void make_available() { set(override_variable, place(13, "stand_in.so")); }

    Library& row_ = toolkit_row();
    EntryPoint& add_ = entry_in(row_, "stand_in_add");
    EntryPoint& return_ = entry_in(row_, "stand_in_return");
    EntryPoint& absent_ = entry_in(row_, "stand_in_of_the_future");
};

TEST_F(LoaderCallTest, CallsTheFunctionOnFirstAndLaterCalls) {
    make_available();
    for (int round = 1; round <= 3; ++round) {
        int sum = 0;
        EXPECT_EQ(call<Status(int, int, int*)>(add_, round, 10, &sum), success);
        EXPECT_EQ(sum, round + 10);
    }
}

TEST_F(LoaderCallTest, PassesElevenParametersOfAllKindsInOrder) {
    make_available();
    EntryPoint& eleven = entry_in(row_, "stand_in_eleven");
    for (int round = 0; round < 2; ++round) {
        long digits = 0;
        EXPECT_EQ(call<Eleven>(eleven, 1, 2, 3, 4, 5, 6, short{7}, 8L, 9.0, Wide{2, 2, 1}, &digits), success);
        EXPECT_EQ(digits, 1234567895);
    }
}

TEST_F(LoaderCallTest, PreservesLastFailureOnSuccess) {
    make_available();
    EXPECT_EQ(call<Status(int)>(return_, 7), Status{7});
    const Failure before = last_failure();
    int sum = 0;
    call<Status(int, int, int*)>(add_, 1, 2, &sum);
    call<Status(int, int, int*)>(add_, 1, 2, &sum);
    call<Status(int)>(return_, 0);
    EXPECT_STREQ(last_failure().function, "stand_in_return");
    EXPECT_EQ(last_failure().status, 7);
    EXPECT_EQ(last_failure().reason, before.reason);
}

TEST_F(LoaderCallTest, ReturnsAndRecordsAFailingStatus) {
    make_available();
    for (int status : {3, 700}) {  // the first call resolves the entry, the second one finds it resolved
        EXPECT_EQ(call<Status(int)>(return_, status), static_cast<Status>(status));
        EXPECT_EQ(last_failure().status, status);
        EXPECT_EQ(last_failure().reason, FailureReason::status);
        EXPECT_STREQ(last_failure().library, "stand-in");
        EXPECT_STREQ(last_failure().function, "stand_in_return");
        EXPECT_STREQ(last_failure().detail, "");
    }
}

TEST_F(LoaderCallTest, AcceptsAnIntegerAsStatus) {
    make_available();
    EXPECT_EQ(call<int(int)>(return_, -4), -4);
    EXPECT_EQ(last_failure().status, -4);
}

TEST_F(LoaderCallTest, ReturnsTheStatusOfAMissingSymbolOnEachCall) {
    make_available();
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(call<Status(int)>(absent_, 1), Status{symbol_missing_status});
        EXPECT_EQ(last_failure().reason, FailureReason::symbol_missing);
        call<Status(int)>(return_, 5);
        EXPECT_EQ(last_failure().reason, FailureReason::status);
    }
}

TEST_F(LoaderCallTest, ReturnsTheStatusOfAMissingLibrary) {
    EXPECT_EQ(call<Status(int)>(return_, 0), Status{library_missing_status});
    EXPECT_EQ(last_failure().reason, FailureReason::library_missing);
    EXPECT_STREQ(last_failure().function, "stand_in_return");
}

TEST_F(LoaderCallTest, ReturnsTheValueOfAFunctionWithoutStatus) {
    make_available();
    EntryPoint& text = entry_in(row_, "stand_in_text");
    EntryPoint& poke = entry_in(row_, "stand_in_poke");
    int poked = 0;
    for (int round = 1; round <= 2; ++round) {
        EXPECT_STREQ(call_plain<const char*()>(text), "stand-in");
        call_plain<void(int*)>(poke, &poked);
        EXPECT_EQ(poked, round);
    }
    EXPECT_EQ(call_plain<int(int)>(return_, 5), 5);
    EXPECT_EQ(last_failure().reason, FailureReason::none);
}

TEST_F(LoaderCallTest, ReadsAVariable) {
    make_available();
    EntryPoint& variable = entry_in(row_, "stand_in_variable");
    for (int round = 0; round < 2; ++round) {
        const auto [status, value] = read_variable<Status, int>(variable);
        EXPECT_EQ(status, success);
        EXPECT_EQ(value, 13);
    }
    EXPECT_EQ(last_failure().reason, FailureReason::none);
}

TEST_F(LoaderCallTest, ReturnsTheStatusOfAMissingVariable) {
    make_available();
    for (int round = 0; round < 2; ++round) {
        const auto [status, value] = read_variable<Detailed, const char*>(absent_);
        EXPECT_EQ(status.error, Status{symbol_missing_status});
        EXPECT_EQ(value, nullptr);
        EXPECT_EQ(last_failure().reason, FailureReason::symbol_missing);
        EXPECT_STREQ(last_failure().function, "stand_in_of_the_future");
    }
}

TEST_F(LoaderCallTest, ReturnsTheStatusOfAMissingLibraryForAVariable) {
    EXPECT_EQ((read_variable<Status, int>(absent_).status), Status{library_missing_status});
    EXPECT_EQ(last_failure().reason, FailureReason::library_missing);
}

TEST_F(LoaderCallTest, ReturnsZeroForAMissingFunctionWithoutStatus) {
    make_available();
    EXPECT_EQ(call_plain<const char*(int)>(absent_, 1), nullptr);
    EXPECT_EQ(last_failure().reason, FailureReason::symbol_missing);
    call_plain<void()>(absent_);
}

TEST_F(LoaderCallTest, UsesTheExchangedAddress) {
    make_available();
    Status (*const replacement)(int) = [](int) { return Status{55}; };
    exchange_address(return_, reinterpret_cast<void*>(replacement));
    EXPECT_EQ(call<Status(int)>(return_, 0), Status{55});
}

TEST_F(LoaderCallTest, RecordsFailuresForEachThread) {
    make_available();
    std::thread([this] { call<Status(int)>(return_, 9); }).join();
    EXPECT_EQ(last_failure().reason, FailureReason::none);
}

TEST_F(LoaderCallTest, PreservesTheTextOfAFailureAfterItsThread) {
    Failure failure{};
    std::thread([&] {
        call<Status(int)>(return_, 0);
        failure = last_failure();
    }).join();
    EXPECT_GT(std::strlen(failure.detail), 0U);
    EXPECT_EQ(failure.status, library_missing_status);
}

TEST_F(LoaderCallTest, ReportsAFailedStatusThatIsAStruct) {
    make_available();
    EXPECT_EQ(call<Detailed(int)>(return_, 7).error, Status{7});
    EXPECT_EQ(last_failure().status, 7);
    EXPECT_EQ(last_failure().reason, FailureReason::status);
    EXPECT_EQ(call<Detailed(int)>(return_, 0).error, success);
    EXPECT_EQ(last_failure().status, 7);
}

TEST_F(LoaderCallTest, ReportsAMissingLibraryInAStatusThatIsAStruct) {
    const Detailed status = call<Detailed(int)>(return_, 0);
    EXPECT_EQ(status.error, Status{library_missing_status});
    EXPECT_FALSE(Result<Detailed>{status}.ok());
    EXPECT_TRUE(Result<Detailed>{}.ok());
}

}  // namespace cubind::testing
