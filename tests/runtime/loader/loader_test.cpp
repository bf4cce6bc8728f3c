// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "loader_test.hpp"

#include <deque>
#include <fstream>
#include <stdlib.h>

namespace cubind::testing {

namespace {

constexpr const char* file_names[] = {soname, "libcubind_stand_in_second.so.13", nullptr};
constexpr const char* refused_file_names[] = {refused_soname, nullptr};
constexpr const char* wheel_directories[] = {"nvidia/cu13/lib", "nvidia/stand_in/lib", nullptr};

}  // namespace

Library& toolkit_row() {
    // Never destroyed, so that leak checkers, which run after static objects are destroyed, still find pointers to the memory.
    static auto& rows = *new std::deque<Library>;
    return rows.emplace_back(Library{.name = "stand-in",
                                     .environment_variable = override_variable,
                                     .file_names = file_names,
                                     .refused_file_names = refused_file_names,
                                     .wheel_directories = wheel_directories,
                                     .version_function = "stand_in_version",
                                     .major = 13,
                                     .library_missing_status = library_missing_status,
                                     .symbol_missing_status = symbol_missing_status});
}

Library& driver_row() {
    Library& row = toolkit_row();
    row.from_os_loader_only = true;
    row.version_function = nullptr;
    row.major = 0;
    return row;
}

EntryPoint& entry_in(Library& library, const char* symbol) {
    static auto& entries = *new std::deque<EntryPoint>;
    return entries.emplace_back(EntryPoint{.symbol = symbol, .since = "12.4", .library = &library});
}

LoaderTest::LoaderTest() {
    for (const char* variable :
         {override_variable, "VIRTUAL_ENV", "CONDA_PREFIX", "HOME", "CUDA_PATH", "CUDA_HOME", "CUDNN_PATH", "NCCL_HOME"}) {
        unsetenv(variable);
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "cubind_loader_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
}

LoaderTest::~LoaderTest() {
    std::filesystem::remove_all(folder_);
}

std::string LoaderTest::place(int major, const std::string& relative) const {
    const std::filesystem::path target = folder_ / relative;
    std::filesystem::create_directories(target.parent_path());
    std::filesystem::copy_file(major == 13 ? STAND_IN_13 : STAND_IN_12, target);
    return target.string();
}

std::string LoaderTest::place_text(const std::string& relative) const {
    const std::filesystem::path target = folder_ / relative;
    std::filesystem::create_directories(target.parent_path());
    std::ofstream(target) << std::string(1000, 'x');  // longer than an ELF header
    return target.string();
}

void LoaderTest::set(const char* variable, const std::string& value) {
    setenv(variable, value.c_str(), 1);
}

bool was_opened(int major) {
    return getenv(major == 12 ? "CUBIND_STAND_IN_12_OPENED" : "CUBIND_STAND_IN_13_OPENED") != nullptr;
}

void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in:\n" << text;
}

void expect_contains_in_order(const std::string& text, const std::vector<std::string>& parts) {
    std::size_t position = 0;
    for (const std::string& part : parts) {
        const std::size_t found = text.find(part, position);
        ASSERT_NE(found, std::string::npos) << "no \"" << part << "\" after byte " << position << " of:\n" << text;
        position = found + part.size();
    }
}

std::string message_of_missing(Library& library) {
    EXPECT_FALSE(load(library));
    EXPECT_EQ(last_failure().reason, FailureReason::library_missing);
    return last_failure().detail;
}

}  // namespace cubind::testing
