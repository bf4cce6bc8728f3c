// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/ptx_version.hpp>

#include <gtest/gtest.h>

#include <string>

namespace cubind::testing {
namespace {

TEST(PtxVersionTest, IsTheFirstDirective) {
    EXPECT_EQ(ptx_version(".version 9.4\n.target sm_90\n"), (PtxVersion{9, 4}));
    EXPECT_EQ(ptx_version("//\n// Based on .version 7.0\n/* .version 1.0 */\n\n.version\t8.5 .target"), (PtxVersion{8, 5}));
    EXPECT_EQ(ptx_version(std::string_view(".version 8.10\0", 14)), (PtxVersion{8, 10}));
    static_assert(ptx_version(".version 7.8") == PtxVersion{7, 8});
}

TEST(PtxVersionTest, IsMissingInOtherTexts) {
    for (const char* const text : {"", "// .version 9.4", "/* .version 9.4", ".target sm_90\n.version 9.4", ".version",
                                   ".version ", ".version9.4", ".version 9", ".version 9.", ".version .4", ".version 9x4",
                                   ".version 99999999999.4", ".version 9.99999999999", "\177ELF"}) {
        EXPECT_EQ(ptx_version(text), std::nullopt) << text;
    }
}

TEST(PtxVersionTest, NeedsADriver) {
    EXPECT_EQ(required_cuda({8, 5}), (CudaRelease{12, 5}));
    EXPECT_EQ(required_cuda({8, 6}), (CudaRelease{12, 7}));
    EXPECT_EQ(required_cuda({9, 0}), (CudaRelease{13, 0}));
    EXPECT_EQ(required_cuda({7, 0}), (CudaRelease{12, 0})) << "the oldest release of cubind";
    EXPECT_EQ(required_cuda({99, 0}), std::nullopt);
    EXPECT_EQ(newest_ptx({12, 6}), (PtxVersion{8, 5}));
    EXPECT_EQ(newest_ptx({11, 8}), std::nullopt);
    EXPECT_GE(newest_ptx({99, 0}), (PtxVersion{9, 5})) << "at least the newest that cubind knows";
    EXPECT_LT((PtxVersion{8, 10}), (PtxVersion{9, 0}));
    EXPECT_GT((CudaRelease{13, 10}), (CudaRelease{13, 9}));
}

}  // namespace
}  // namespace cubind::testing
