// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Replacement of a library within the process.
#include <cubind/call.hpp>
#include <cubind/substitute.hpp>

#include <string>

#include "loader_test.hpp"

namespace cubind::testing {

namespace {

int subtract(int a, int b, int* result) {
    *result = a - b;
    return 0;
}

int report_version(int* version) {
    *version = 12040;
    return 0;
}

void* find(const char* symbol) noexcept {
    const std::string name = symbol;
    if (name == "stand_in_add") return reinterpret_cast<void*>(subtract);
    if (name == "stand_in_version") return reinterpret_cast<void*>(report_version);
    return nullptr;
}

constexpr Substitute substitute_row{.path = "a simulation", .found_via = "a test", .find = find};

}  // namespace

class LoaderSubstituteTest : public LoaderTest {
protected:
    LoaderSubstituteTest() { set(override_variable, place(13, "stand_in.so")); }

    void replace(const Substitute* by) { substitute(row_, {entries_, entries_ + 2}, by); }

    Library& row_ = toolkit_row();
    EntryPoint& add_ = entry_in(row_, "stand_in_add");
    int add(int a, int b) {
        int result = 0;
        EXPECT_EQ((call<int(int, int, int*)>(add_, a, b, &result)), 0);
        return result;
    }

    EntryPoint& absent_ = entry_in(row_, "stand_in_absent");
    EntryPoint* entries_[2] = {&add_, &absent_};
};

TEST_F(LoaderSubstituteTest, ReceivesCallsWithoutLoadingALibrary) {
    replace(&substitute_row);
    EXPECT_EQ(add(5, 3), 2);
    EXPECT_STREQ(library_path(row_), "a simulation");
    EXPECT_STREQ(library_found_via(row_), "a test");
    EXPECT_FALSE(was_opened(13));
}

TEST_F(LoaderSubstituteTest, IsAnotherImplementationEachTime) {
    EXPECT_EQ(current_implementation(row_), nullptr) << "the library is not loaded";
    EXPECT_EQ(add(5, 3), 8);
    const void* const library = current_implementation(row_);
    EXPECT_NE(library, nullptr);
    EXPECT_EQ(add(5, 3), 8);
    EXPECT_EQ(current_implementation(row_), library);
    replace(&substitute_row);
    const void* const first = current_implementation(row_);
    replace(&substitute_row);
    const void* const second = current_implementation(row_);
    EXPECT_NE(first, library);
    EXPECT_NE(second, first);
    replace(nullptr);
    EXPECT_EQ(add(5, 3), 8);
    EXPECT_NE(current_implementation(row_), second);
}

TEST_F(LoaderSubstituteTest, ReportsItsMissingSymbols) {
    row_.version_function = "stand_in_version";
    row_.version_form = VersionForm::one_number;
    replace(&substitute_row);
    EXPECT_FALSE(has(absent_));
    EXPECT_EQ((call<int(int)>(absent_, 5)), symbol_missing_status);
    EXPECT_EQ(last_failure().reason, FailureReason::symbol_missing);
    EXPECT_EQ(version(row_), 12040);
}

TEST_F(LoaderSubstituteTest, ReplacesAndRestoresALoadedFile) {
    EXPECT_EQ(add(5, 3), 8);
    replace(&substitute_row);
    EXPECT_EQ(add(5, 3), 2);
    replace(nullptr);
    EXPECT_EQ(add(5, 3), 8);
    EXPECT_STRNE(library_path(row_), "a simulation");
}

}  // namespace cubind::testing
