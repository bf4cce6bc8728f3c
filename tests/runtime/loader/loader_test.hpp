// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <cubind/entry_point.hpp>
#include <cubind/failure.hpp>
#include <cubind/library.hpp>

namespace cubind::testing {

inline constexpr int library_missing_status = 900;
inline constexpr int symbol_missing_status = 901;
inline constexpr const char* override_variable = "CUBIND_STAND_IN_LIBRARY";
inline constexpr const char* soname = "libcubind_stand_in.so.13";
inline constexpr const char* refused_soname = "libcubind_stand_in.so.12";

/// Where toolkits and conda keep libraries of this machine's kind.
#if defined(__aarch64__)
inline constexpr const char* target_folder = "targets/sbsa-linux/lib/";
#else
inline constexpr const char* target_folder = "targets/x86_64-linux/lib/";
#endif

/// A new row of a toolkit library, major 13, that only the tests know. Rows and entry points live as long as
/// the process, as generated ones do: what the loader keeps hangs on them.
Library& toolkit_row();

/// The same as a driver library: environment variable, already loaded and OS loader only; any major.
Library& driver_row();

/// A new entry point, which is in the stand-in when `symbol` is one of its functions.
EntryPoint& entry_in(Library& library, const char* symbol);

/// A scratch folder, and an environment in which no variable that the loader reads is set.
/// What a test loads stays loaded, so each test runs in a process of its own (ctest does that).
class LoaderTest : public ::testing::Test {
protected:
    LoaderTest();
    ~LoaderTest() override;

    /// Puts a copy of the stand-in of this major at a path below the scratch folder; returns the absolute
    /// path.
    std::string place(int major, const std::string& relative) const;
    /// Puts a file that is no library there.
    std::string place_text(const std::string& relative) const;
    std::string below(const std::string& relative) const { return (folder_ / relative).string(); }

    static void set(const char* variable, const std::string& value);

    std::filesystem::path folder_;
};

/// Whether this process has ever opened the stand-in of this major.
bool was_opened(int major);

/// Expects `text` to have `part` in it.
void expect_contains(const std::string& text, const std::string& part);

/// Loads the library, expects that to fail, and returns the message.
std::string message_of_missing(Library& library);

}  // namespace cubind::testing
