// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "loader_test.hpp"

namespace cubind::testing {

class LoaderOverrideTest : public LoaderTest {
protected:
    Library& row_ = toolkit_row();
};

TEST_F(LoaderOverrideTest, LoadsAnAbsolutePathWithAnyFileName) {
    const std::string file = place(13, "custom/my_build.so");
    set(override_variable, file);
    EXPECT_TRUE(load(row_));
    EXPECT_STREQ(library_path(row_), file.c_str());
    EXPECT_STREQ(library_found_via(row_), "environment variable");
}

TEST_F(LoaderOverrideTest, HasPriorityOverALoadedLibrary) {
    Library& other = toolkit_row();
    set("CUDA_PATH", folder_.string());
    place(13, std::string("lib64/") + soname);
    ASSERT_TRUE(load(other));

    const std::string file = place(13, "custom/my_build.so");
    set(override_variable, file);
    EXPECT_STREQ(library_path(row_), file.c_str());
}

TEST_F(LoaderOverrideTest, RejectsARelativePathAndEndsTheSearch) {
    set("CUDA_PATH", folder_.string());
    place(13, std::string("lib64/") + soname);
    std::filesystem::current_path(folder_);
    set(override_variable, std::string("lib64/") + soname);
    const std::string message = message_of_missing(row_);
    expect_contains(message, "$CUBIND_STAND_IN_LIBRARY: lib64/libcubind_stand_in.so.13 is not an absolute path");
    expect_contains(message, "unset it");
    EXPECT_EQ(message.find("CUDA_PATH"), std::string::npos) << "the search continued:\n" << message;
}

// dlopen() would open another file, which was not checked.
TEST_F(LoaderOverrideTest, RefusesAPathWithADynamicStringToken) {
    for (const char* token : {"$LIB", "${LIB}", "$ORIGIN", "a$PLATFORM", "${PLATFORM}b"}) {
        const std::string file = place(13, std::string(token) + "/my.so");
        set(override_variable, file);
        expect_contains_in_order(message_of_missing(toolkit_row()), {file, "it replaces ", "rename that folder"});
        EXPECT_FALSE(was_opened(13)) << token;
    }
    std::filesystem::create_symlink("$LIB", folder_ / "link");
    set(override_variable, below("link/my.so"));
    EXPECT_EQ(library_path(row_), below("link/my.so"));
}

TEST_F(LoaderOverrideTest, AcceptsADollarThatBeginsNoToken) {
    for (const char* name : {"$LIBRARY", "${ORIGIN", "$lib", "LIB$", "$"}) {
        set(override_variable, place(13, std::string(name) + "/my.so"));
        Library& row = toolkit_row();
        EXPECT_TRUE(load(row)) << last_failure().detail;
    }
}

TEST_F(LoaderOverrideTest, RefusesAStub) {
    const std::string file = place(13, std::string("lib64/stubs/") + soname);
    set(override_variable, file);
    expect_contains(message_of_missing(toolkit_row()), file + ": is a stub: ");
    std::filesystem::create_symlink(std::string("stubs/") + soname, folder_ / "lib64" / soname);
    set(override_variable, below(std::string("lib64/") + soname));
    expect_contains(message_of_missing(toolkit_row()), "leads to " + file + ", which is a stub: ");
    EXPECT_FALSE(was_opened(13));
}

TEST_F(LoaderOverrideTest, RejectsAMissingFileAndEndsTheSearch) {
    set("CUDA_PATH", folder_.string());
    place(13, std::string("lib64/") + soname);
    set(override_variable, below("nowhere.so"));
    expect_contains(message_of_missing(row_), below("nowhere.so") + ": no such file");
}

TEST_F(LoaderOverrideTest, RejectsAFileThatIsNotALibrary) {
    const std::string file = place_text("text.so");
    set(override_variable, file);
    const std::string message = message_of_missing(row_);
    expect_contains(message, file);
    expect_contains(message, "ELF header");
}

TEST_F(LoaderOverrideTest, RejectsAFolder) {
    set(override_variable, folder_.string());
    expect_contains(message_of_missing(row_), "not a regular file");
}

TEST_F(LoaderOverrideTest, RejectsAnotherMajor) {
    const std::string file = place(12, "custom/my_build.so");
    set(override_variable, file);
    expect_contains(message_of_missing(row_), file + ": is major 12, but major 13 is needed");
}

TEST_F(LoaderOverrideTest, IgnoresAnEmptyValue) {
    set(override_variable, "");
    set("CUDA_PATH", folder_.string());
    place(13, std::string("lib64/") + soname);
    EXPECT_STREQ(library_found_via(row_), "CUDA_PATH");
}

TEST_F(LoaderOverrideTest, AppliesToDriverLibraries) {
    Library& driver = driver_row();
    set(override_variable, place(13, "driver.so"));
    EXPECT_STREQ(library_found_via(driver), "environment variable");
}

}  // namespace cubind::testing
