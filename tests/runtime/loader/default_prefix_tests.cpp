// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Search of the fixed places, which are replaced by folders below the scratch folder.
#include <dlfcn.h>

#include "loader_test.hpp"
#include "search/search_steps.hpp"

namespace cubind::testing {

class LoaderDefaultPrefixTest : public LoaderTest {
protected:
    void expect_is_stand_in(bool is_found) const {
        ASSERT_TRUE(is_found) << context_.log;
        ASSERT_NE(context_.found.handle, nullptr);
        EXPECT_NE(dlsym(context_.found.handle, "stand_in_add"), nullptr);
    }

    Library& row_ = toolkit_row();
    detail::SearchContext context_{
        .library = row_,
        .places = {.python_prefixes = {below("usr")}, .cuda_prefix = below("cuda"), .versioned_prefixes = folder_.string()}};
};

TEST_F(LoaderDefaultPrefixTest, FindsTheToolkitInTheDefaultPrefix) {
    place(13, std::string("cuda/lib64/") + soname);
    expect_is_stand_in(detail::find_in_default_prefix(context_));
}

TEST_F(LoaderDefaultPrefixTest, FindsTheNewestVersionedToolkitByNumber) {
    for (const char* version : {"12.8", "13.9", "13.10", "13.11-beta"}) {
        place(13, std::string("cuda-") + version + "/lib64/" + soname);
    }
    expect_is_stand_in(detail::find_in_versioned_prefixes(context_));
    EXPECT_EQ(context_.found.path, below(std::string("cuda-13.10/lib64/") + soname));
    // The notes name the toolkits that were passed over, and why.
    ASSERT_EQ(context_.notes.size(), 2U);
    expect_contains(context_.notes[0], below("cuda-13.9") + ": was passed over for a newer toolkit: " + context_.found.path);
    expect_contains(context_.notes[1], below("cuda-12.8"));
}

TEST_F(LoaderDefaultPrefixTest, FindsWheelsOfTheSystemsPython) {
    place(13, std::string("usr/lib/python3/dist-packages/nvidia/cu13/lib/") + soname);
    expect_is_stand_in(detail::find_in_python_wheels(context_));
}

TEST_F(LoaderDefaultPrefixTest, UsesTheUsualFixedPlaces) {
    const detail::SystemPlaces usual;
    EXPECT_EQ(usual.python_prefixes, (std::vector<std::string>{"/usr/local", "/usr"}));
    EXPECT_EQ(usual.cuda_prefix, "/usr/local/cuda");
    EXPECT_EQ(usual.versioned_prefixes, "/usr/local");
}

}  // namespace cubind::testing
