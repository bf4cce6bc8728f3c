// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_point.hpp>
#include <cubind/failure.hpp>
#include <cubind/library.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace cubind::testing {

inline constexpr int library_missing_status = 900;
inline constexpr int symbol_missing_status = 901;
inline constexpr const char* override_variable = "CUBIND_STAND_IN_LIBRARY";
inline constexpr const char* soname = "libcubind_stand_in.so.13";
inline constexpr const char* refused_soname = "libcubind_stand_in.so.12";

/// Folder with libraries of this architecture in toolkits and conda environments.
#if defined(__aarch64__)
inline constexpr const char* target_folder = "targets/sbsa-linux/lib/";
#else
inline constexpr const char* target_folder = "targets/x86_64-linux/lib/";
#endif

/// Returns a new row of a toolkit library of major 13, the stand-in. Rows and entry points live as long as the process, like
/// generated ones, because the loader's data refer to them.
Library& toolkit_row();

/// Returns a new row of a driver library of any major. The loader searches it only in its environment variable,
/// among the loaded libraries and with the OS loader.
Library& driver_row();

/// Returns a new entry point. It resolves if `symbol` is a function of the stand-in.
EntryPoint& entry_in(Library& library, const char* symbol);

/// Fixture with a scratch folder and an environment in which no variable of the loader is set. Loaded libraries stay loaded, so
/// each test requires a separate process, which CTest starts.
class LoaderTest : public ::testing::Test {
protected:
    LoaderTest();
    ~LoaderTest() override;

    /// Copies the stand-in of this major to a path below the scratch folder and returns the absolute path.
    std::string place(int major, const std::string& relative) const;
    /// Writes a file that is not a library and returns its absolute path.
    std::string place_text(const std::string& relative) const;
    /// Returns the absolute path of a file below the scratch folder.
    std::string below(const std::string& relative) const { return (folder_ / relative).string(); }

    /// Sets an environment variable.
    static void set(const char* variable, const std::string& value);

    std::filesystem::path folder_;
};

/// Returns whether this process has ever opened the stand-in of this major.
bool was_opened(int major);

/// Expects `text` to contain `part`.
void expect_contains(const std::string& text, const std::string& part);

/// Expects `text` to contain all parts in this order.
void expect_contains_in_order(const std::string& text, const std::vector<std::string>& parts);

/// Loads the library, expects it to be missing, and returns the message.
std::string message_of_missing(Library& library);

}  // namespace cubind::testing
