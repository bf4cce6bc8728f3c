// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// First calls while the process has no memory left. A part of the program layers_exhaustion_tests.
#include <cubind/call.hpp>
#include <cubind/substitute.hpp>

#include <sys/resource.h>
#include <utility>

#include "exhausted_memory.hpp"
#include "runtime/loader/loader_test.hpp"

namespace cubind::testing {
namespace {

constexpr const char* exhausted_text = "Memory or file descriptors were exhausted";

class LoaderExhaustionTest : public LoaderTest {
protected:
    // Makes the first call of a function of a new library with each number of allocations. Expects `missing_status` if memory was
    // exhausted, and `status` for the next call.
    void expect_later(const char* symbol, int missing_status, int status, const char* fallback = nullptr) {
        Library* row = nullptr;
        EntryPoint* entry = nullptr;
        const auto prepare = [&] {
            row = &toolkit_row();
            row->fallback_symbol = fallback;
            entry = &entry_in(*row, symbol);
            if (is_loaded_before) {
                EXPECT_TRUE(load(*row));
            }
        };
        prepare();
        int first = 0;
        const auto check = [&](bool was_exhausted) {
            if (was_exhausted) {
                EXPECT_EQ(first, missing_status);
                EXPECT_EQ(last_failure().status, missing_status);
                EXPECT_STREQ(last_failure().function, symbol);
                expect_contains(last_failure().detail, exhausted_text);
            }
            EXPECT_EQ(call<int(int)>(*entry, 0), status);
            prepare();
        };
        EXPECT_GT(exhaust([&] { first = call<int(int)>(*entry, 0); }, check), 0);
        EXPECT_EQ(first, status);
    }

    bool is_loaded_before = false;
};

TEST_F(LoaderExhaustionTest, LoadsALibraryInALaterCall) {
    set(override_variable, place(13, "stand_in.so"));
    expect_later("stand_in_return", library_missing_status, 0);
}

TEST_F(LoaderExhaustionTest, FindsALibraryInWheelsInALaterCall) {
    set("VIRTUAL_ENV", below("env"));
    place(13, "env/lib/python3.12/site-packages/nvidia/cu13/lib/libcubind_stand_in.so.13");
    expect_later("stand_in_return", library_missing_status, 0);
}

TEST_F(LoaderExhaustionTest, ReportsAMissingLibraryInALaterCall) {
    set("CUDA_PATH", below("toolkit"));
    expect_later("stand_in_return", library_missing_status, library_missing_status);
    expect_contains_in_order(last_failure().detail, {"No CUDA stand-in found", "Tried, in this order", below("toolkit")});
}

TEST_F(LoaderExhaustionTest, ReportsAMissingFunctionInALaterCall) {
    set(override_variable, place(13, "stand_in.so"));
    is_loaded_before = true;
    expect_later("stand_in_of_the_future", symbol_missing_status, symbol_missing_status);
    expect_contains(last_failure().detail, "does not export it");
}

TEST_F(LoaderExhaustionTest, FindsAFallbackSymbolInALaterCall) {
    set(override_variable, place(13, "stand_in.so"));
    is_loaded_before = true;
    expect_later("stand_in_newer", symbol_missing_status, 0, "__{symbol}_12_0");
}

TEST_F(LoaderExhaustionTest, ReturnsPathAndVersionInALaterCall) {
    set(override_variable, place(13, "stand_in.so"));
    Library* row = &toolkit_row();
    const auto renew = [&](bool) { row = &toolkit_row(); };
    const char* text = nullptr;
    const auto check_path = [&](bool was_exhausted) {
        if (was_exhausted) {
            EXPECT_EQ(text, nullptr);
        }
        EXPECT_EQ(library_path(*row), below("stand_in.so"));
        renew(was_exhausted);
    };
    EXPECT_GT(exhaust([&] { text = library_path(*row); }, check_path), 0);
    EXPECT_GT(exhaust([&] { text = library_found_via(*row); }, renew), 0);
    int number = 0;
    row->version_function = "stand_in_failing_version";
    row->major = 0;
    const auto check_version = [&](bool was_exhausted) {
        EXPECT_EQ(number, 0);
        if (was_exhausted) row->version_function = "stand_in_version";
        EXPECT_EQ(version(*row), was_exhausted ? 13020 : 0) << "the version was stored";
        renew(was_exhausted);
        row->version_function = "stand_in_failing_version";
        row->major = 0;
    };
    EXPECT_GT(exhaust([&] { number = version(*row); }, check_version), 0);
    bool is_found = true;
    EntryPoint* entry = &entry_in(*row, "stand_in_add");
    const auto check_has = [&](bool was_exhausted) {
        EXPECT_EQ(is_found, !was_exhausted);
        renew(was_exhausted);
        entry = &entry_in(*row, "stand_in_add");
    };
    EXPECT_GT(exhaust([&] { is_found = has(*entry); }, check_has), 0);
}

// The OS loader and the C library allocate with malloc(). Some of their functions need no memory, so the first call may succeed.
TEST_F(LoaderExhaustionTest, RemembersNoFailureOfTheOsLoader) {
    int number = 0;
    EntryPoint* entry = nullptr;
    const auto prepare = [&](const char* symbol) {
        set(override_variable, place(13, "copy" + std::to_string(++number) + "/stand_in.so"));  // is not loaded yet
        entry = &entry_in(toolkit_row(), symbol);
    };
    int first = 0;
    long failures = 0;
    prepare("stand_in_return");
    const auto check = [&](bool) {
        failures += first == library_missing_status || first == symbol_missing_status ? 1 : 0;
        EXPECT_EQ(call<int(int)>(*entry, 5), 5) << last_failure().detail;
        prepare("stand_in_return");
    };
    exhaust([&] { first = call<int(int)>(*entry, 5); }, check, Shortage::transient);
    EXPECT_EQ(first, 5);
    EXPECT_GT(failures, 10);
}

TEST_F(LoaderExhaustionTest, RemembersNoFailureOfTheSearch) {
    set("VIRTUAL_ENV", below("env"));
    set("CUDA_PATH", below("toolkit"));
    place(13, std::string("toolkit/lib64/") + soname);
    place_text("env/lib/python3.12/site-packages/nvidia/other");
    EntryPoint* entry = &entry_in(toolkit_row(), "stand_in_return");
    int first = 0;
    const auto check = [&](bool) {
        EXPECT_EQ(call<int(int)>(*entry, 5), 5) << last_failure().detail;
        entry = &entry_in(toolkit_row(), "stand_in_return");
    };
    EXPECT_GT(exhaust([&] { first = call<int(int)>(*entry, 5); }, check, Shortage::transient), 10);
    EXPECT_EQ(first, 5);
}

TEST_F(LoaderExhaustionTest, SubstitutesCompletelyOrNotAtAll) {
    set(override_variable, place(13, "stand_in.so"));
    Library& row = toolkit_row();
    EntryPoint* const entries[] = {&entry_in(row, "stand_in_return")};
    const auto find = [](const char*) noexcept { return reinterpret_cast<void*>(+[](int) { return 77; }); };
    const Substitute replacement{.path = "a path that is too long for a small string", .found_via = "a test", .find = find};
    EXPECT_EQ(call<int(int)>(*entries[0], 5), 5);
    bool has_thrown = false;
    const auto install = [&] {
        try {
            substitute(row, {entries, entries + 1}, &replacement);
            has_thrown = false;
        } catch (const std::bad_alloc&) {
            has_thrown = true;
        }
    };
    const auto check = [&](bool was_exhausted) {
        EXPECT_EQ(has_thrown, was_exhausted);
        EXPECT_EQ(call<int(int)>(*entries[0], 5), was_exhausted ? 5 : 77);
    };
    EXPECT_GT(exhaust(install, check), 0);
    {
        const LimitedMemory none(0);
        substitute(row, {entries, entries + 1}, nullptr);  // allocates nothing
    }
    EXPECT_EQ(call<int(int)>(*entries[0], 5), 5);
}

// Exits with 0 if a library that could not be loaded without file descriptors is loaded afterwards.
void load_without_file_descriptors(Library& row) {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const rlim_t previous = std::exchange(limit.rlim_cur, 0);
    setrlimit(RLIMIT_NOFILE, &limit);
    const bool is_loaded = load(row);
    const std::string detail = last_failure().detail;
    limit.rlim_cur = previous;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (is_loaded) std::exit(2);
    if (detail.find(exhausted_text) == std::string::npos) std::exit(3);
    std::exit(load(row) ? 0 : 4);
}

TEST_F(LoaderExhaustionTest, LoadsALibraryOnceThereAreFileDescriptors) {
    set(override_variable, place(13, "stand_in.so"));
    EXPECT_EXIT(load_without_file_descriptors(toolkit_row()), ::testing::ExitedWithCode(0), "");
}

TEST_F(LoaderExhaustionTest, FindsAWheelOnceThereAreFileDescriptors) {
    set("VIRTUAL_ENV", below("env"));
    place(13, "env/lib/python3.12/site-packages/nvidia/cu13/lib/libcubind_stand_in.so.13");
    EXPECT_EXIT(load_without_file_descriptors(toolkit_row()), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cubind::testing
