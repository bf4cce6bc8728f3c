// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/library_function.hpp>

#include "loader_test.hpp"

namespace cubind::testing {

namespace {

int replacement() {
    return 0;
}

void* address_of_replacement() {
    return reinterpret_cast<void*>(&replacement);
}

}  // namespace

class LoaderEntryPointTest : public LoaderTest {
protected:
    void make_available() { set(override_variable, place(13, "stand_in.so")); }

    Library& row_ = toolkit_row();
    EntryPoint& entry_ = entry_in(row_, "stand_in_add");
    EntryPoint& absent_ = entry_in(row_, "stand_in_of_the_future");
};

TEST_F(LoaderEntryPointTest, ResolvesAnEntryOfAConstantInitializedTable) {
    static constinit Library library{.name = "constant", .environment_variable = override_variable};
    static constinit EntryPoint entry{.symbol = "stand_in_add", .since = "12.4", .library = &library};
    make_available();
    EXPECT_NE(address_of(entry), nullptr);
}

TEST_F(LoaderEntryPointTest, ResolvesAVariable) {
    make_available();
    const void* const address = address_of(entry_in(row_, "stand_in_variable"));
    ASSERT_NE(address, nullptr);
    EXPECT_EQ(*static_cast<const int*>(address), 13);
}

TEST_F(LoaderEntryPointTest, FindsTheFunctionOfALoadedLibraryBelowAReplacement) {
    make_available();
    EXPECT_FALSE(detail::is_loaded(row_));
    EXPECT_EQ(detail::find_library_function(row_, "stand_in_add"), nullptr) << "it loads nothing";
    void* const function = exchange_address(entry_, address_of_replacement());
    EXPECT_TRUE(detail::is_loaded(row_));
    EXPECT_EQ(address_of(entry_), address_of_replacement());
    EXPECT_EQ(detail::find_library_function(row_, "stand_in_add"), function);
    EXPECT_EQ(detail::find_library_function(row_, "stand_in_of_the_future"), nullptr);
    EXPECT_EQ(last_failure().reason, FailureReason::none);
}

TEST_F(LoaderEntryPointTest, FindsNoFunctionOfAMissingLibrary) {
    set(override_variable, "/no/such/library");
    EXPECT_EQ(address_of(entry_), nullptr);
    EXPECT_FALSE(detail::is_loaded(row_));
    EXPECT_EQ(detail::find_library_function(row_, "stand_in_add"), nullptr);
}

TEST_F(LoaderEntryPointTest, ReturnsTheSameAddressOnEachCall) {
    make_available();
    void* const first = address_of(entry_);
    EXPECT_NE(first, nullptr);
    EXPECT_EQ(address_of(entry_), first);
    EXPECT_EQ(last_failure().reason, FailureReason::none);
}

TEST_F(LoaderEntryPointTest, ReportsAMissingSymbol) {
    make_available();
    EXPECT_EQ(address_of(absent_), nullptr);
    const Failure failure = last_failure();
    EXPECT_EQ(failure.reason, FailureReason::symbol_missing);
    EXPECT_EQ(failure.status, symbol_missing_status);
    EXPECT_STREQ(failure.library, "stand-in");
    EXPECT_STREQ(failure.function, "stand_in_of_the_future");
}

TEST_F(LoaderEntryPointTest, ReportsAMissingSymbolOnEachCallAndSearchesOnce) {
    make_available();
    EXPECT_EQ(address_of(absent_), nullptr);
    const char* const detail = last_failure().detail;
    EntryPoint& unrelated = entry_in(row_, "stand_in_absent");
    EXPECT_EQ(address_of(unrelated), nullptr);
    // A repeated lookup would now find the symbol.
    absent_.symbol = "stand_in_add";
    EXPECT_EQ(address_of(absent_), nullptr);
    EXPECT_EQ(last_failure().detail, detail);
}

TEST_F(LoaderEntryPointTest, ReportsTheMessageOfAMissingLibrary) {
    EXPECT_EQ(address_of(entry_), nullptr);
    const Failure failure = last_failure();
    EXPECT_EQ(failure.reason, FailureReason::library_missing);
    EXPECT_EQ(failure.status, library_missing_status);
    EXPECT_STREQ(failure.function, "stand_in_add");
    EXPECT_FALSE(load(row_));
    EXPECT_EQ(last_failure().detail, failure.detail);
}

TEST_F(LoaderEntryPointTest, HasPreservesLastFailure) {
    make_available();
    EXPECT_TRUE(has(entry_));
    EXPECT_FALSE(has(absent_));
    EXPECT_EQ(last_failure().reason, FailureReason::none);
}

TEST_F(LoaderEntryPointTest, HasReturnsFalseForAMissingLibrary) {
    EXPECT_FALSE(has(entry_));
    EXPECT_EQ(last_failure().reason, FailureReason::none);
}

TEST_F(LoaderEntryPointTest, ReportsAMissingSymbolAfterHas) {
    make_available();
    EXPECT_FALSE(has(absent_));
    EXPECT_EQ(address_of(absent_), nullptr);
    EXPECT_EQ(last_failure().reason, FailureReason::symbol_missing);
}

TEST_F(LoaderEntryPointTest, ExchangesAndRestoresTheVendorsFunction) {
    make_available();
    void* const vendors = exchange_address(entry_, address_of_replacement());
    EXPECT_NE(vendors, nullptr) << "the entry was not resolved before the exchange";
    EXPECT_EQ(address_of(entry_), address_of_replacement());
    EXPECT_EQ(exchange_address(entry_, vendors), address_of_replacement());
    EXPECT_EQ(address_of(entry_), vendors);
}

TEST_F(LoaderEntryPointTest, ExchangesAndRestoresAMissingFunction) {
    make_available();
    EXPECT_EQ(exchange_address(absent_, address_of_replacement()), nullptr);
    EXPECT_EQ(last_failure().reason, FailureReason::none);
    EXPECT_TRUE(has(absent_));
    EXPECT_EQ(address_of(absent_), address_of_replacement());
    EXPECT_EQ(exchange_address(absent_, nullptr), address_of_replacement());
    EXPECT_FALSE(has(absent_));
}

}  // namespace cubind::testing
