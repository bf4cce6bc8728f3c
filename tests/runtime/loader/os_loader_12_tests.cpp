// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// This program's run path has the stand-in of major 12 only.
#include "loader_test.hpp"

namespace cubind::testing {

class LoaderOsLoaderTest : public LoaderTest {};

TEST_F(LoaderOsLoaderTest, NamesAnotherMajorInItsFolders) {
    Library& row = toolkit_row();
    const std::string message = message_of_missing(row);
    expect_contains(message, "OS loader: /");
    expect_contains(message, "stand_in_12/libcubind_stand_in.so.12: is of another major");
    EXPECT_FALSE(was_opened(12));
}

TEST_F(LoaderOsLoaderTest, RejectsAnotherMajorAndContinuesTheSearch) {
    Library& row = toolkit_row();
    static const char* const names[] = {refused_soname, soname, nullptr};
    row.file_names = names;
    set("CUDA_PATH", folder_.string());
    const std::string good = place(13, std::string("lib64/") + soname);
    EXPECT_EQ(library_path(row), good);
    EXPECT_TRUE(was_opened(12));
}

}  // namespace cubind::testing
