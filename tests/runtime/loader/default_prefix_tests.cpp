// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Search of the fixed places, which are replaced by folders below the scratch folder.
#include <dlfcn.h>

#include "loader_test.hpp"
#include "search_steps.hpp"

namespace cubind::testing {

class LoaderDefaultPrefixTest : public LoaderTest {
protected:
    static void expect_is_stand_in(void* handle) {
        ASSERT_NE(handle, nullptr);
        EXPECT_NE(dlsym(handle, "stand_in_add"), nullptr);
    }

    Library& row_ = toolkit_row();
    detail::SearchContext context_{.library = row_, .places = {.python_prefixes = {below("usr")}, .cuda_prefix = below("cuda")}};
};

TEST_F(LoaderDefaultPrefixTest, FindsTheToolkitInTheDefaultPrefix) {
    place(13, std::string("cuda/lib64/") + soname);
    expect_is_stand_in(detail::find_in_default_prefix(context_));
}

TEST_F(LoaderDefaultPrefixTest, FindsWheelsOfTheSystemsPython) {
    place(13, std::string("usr/lib/python3/dist-packages/nvidia/cu13/lib/") + soname);
    expect_is_stand_in(detail::find_in_python_wheels(context_));
}

TEST_F(LoaderDefaultPrefixTest, UsesTheUsualFixedPlaces) {
    const detail::SystemPlaces usual;
    EXPECT_EQ(usual.python_prefixes, (std::vector<std::string>{"/usr/local", "/usr"}));
    EXPECT_EQ(usual.cuda_prefix, "/usr/local/cuda");
}

}  // namespace cubind::testing
