// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Lookup in libraries of older releases, which export functions under another name.
#include <cubind/call.hpp>

#include <dlfcn.h>

#include "loader_test.hpp"

namespace cubind::testing {

class LoaderFallbackSymbolTest : public LoaderTest {
protected:
    LoaderFallbackSymbolTest() {
        set(override_variable, place(13, "stand_in.so"));
        row_.fallback_symbol = "__{symbol}_12_0";
    }

    Library& row_ = toolkit_row();
};

TEST_F(LoaderFallbackSymbolTest, CallsTheFallbackIfTheSymbolIsNotExported) {
    EntryPoint& newer = entry_in(row_, "stand_in_newer");
    EXPECT_TRUE(has(newer));
    EXPECT_EQ(call<int(int)>(newer, 5), 5);
    EXPECT_STREQ(last_failure().function, "stand_in_newer") << "failures name the symbol, not its fallback";
}

TEST_F(LoaderFallbackSymbolTest, PrefersTheSymbolItself) {
    row_.fallback_symbol = "stand_in_text{symbol}";
    EntryPoint& add = entry_in(row_, "stand_in_add");
    void* const file = dlopen(library_path(row_), RTLD_NOW | RTLD_NOLOAD);
    EXPECT_EQ(address_of(add), dlsym(file, "stand_in_add"));
}

TEST_F(LoaderFallbackSymbolTest, ReportsTheSymbolMissingWithoutAPattern) {
    row_.fallback_symbol = nullptr;
    EXPECT_FALSE(has(entry_in(row_, "stand_in_newer")));
}

TEST_F(LoaderFallbackSymbolTest, NamesBothSymbolsIfNeitherIsExported) {
    EXPECT_EQ(address_of(entry_in(row_, "stand_in_of_the_future")), nullptr);
    expect_contains(last_failure().detail, "does not export it, nor __stand_in_of_the_future_12_0");
}

}  // namespace cubind::testing
