// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// The table of artifacts.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "search/catalogue.hpp"

namespace cubind::testing {

namespace {

using detail::CatalogueRow;
using detail::Origin;

long count(ArtifactKind kind, Origin origin) {
    long rows = 0;
    for (const CatalogueRow& row : detail::catalogue()) rows += row.kind == kind && row.origin == origin;
    return rows;
}

// Expects that all dependencies of the row exist, directly and indirectly, and that none of them depends on a row in `path`.
void expect_acyclic(const CatalogueRow& row, std::set<std::string> path) {
    ASSERT_TRUE(path.insert(row.name).second) << row.name << " depends on itself";
    for (const char* const* need = row.needs.data(); *need != nullptr; ++need) {
        const CatalogueRow* const next = detail::find_row(ArtifactKind::library, *need);
        ASSERT_NE(next, nullptr) << row.name << " depends on " << *need;
        expect_acyclic(*next, path);
    }
}

}  // namespace

TEST(CatalogueTest, HasAllArtifacts) {
    EXPECT_EQ(count(ArtifactKind::library, Origin::toolkit), 29);
    EXPECT_EQ(count(ArtifactKind::library, Origin::product), 18);
    EXPECT_EQ(count(ArtifactKind::library, Origin::driver), 3);
    EXPECT_EQ(count(ArtifactKind::headers, Origin::toolkit) + count(ArtifactKind::headers, Origin::product), 33);
    EXPECT_EQ(count(ArtifactKind::static_library, Origin::toolkit), 1);
    EXPECT_EQ(count(ArtifactKind::static_library, Origin::product), 1);
    EXPECT_EQ(count(ArtifactKind::bitcode_library, Origin::toolkit) + count(ArtifactKind::bitcode_library, Origin::product), 3);
    EXPECT_EQ(count(ArtifactKind::program, Origin::toolkit), 17);
}

TEST(CatalogueTest, HasEachNameAndEachSonameOnce) {
    std::set<std::pair<ArtifactKind, std::string>> names;
    std::set<std::string> files;
    for (const CatalogueRow& row : detail::catalogue()) {
        EXPECT_TRUE(names.insert({row.kind, row.name}).second) << row.name;
        EXPECT_NE(row.files.front(), nullptr) << row.name;
        for (const char* const* file = row.files.data(); *file != nullptr; ++file) {
            if (row.kind != ArtifactKind::library) continue;
            EXPECT_TRUE(files.insert(*file).second) << *file;
            EXPECT_EQ(detail::find_row_of_file(*file), &row);
        }
    }
}

TEST(CatalogueTest, HasRelativeFoldersThatDoNotClimb) {
    for (const CatalogueRow& row : detail::catalogue()) {
        for (const auto& list : {row.wheels.data(), row.folders.data(), row.files.data()}) {
            for (const char* const* each = list; *each != nullptr; ++each) {
                const std::string folder = *each;
                EXPECT_FALSE(folder.empty() || folder.front() == '/' || folder.back() == '/') << row.name << ": " << folder;
                EXPECT_EQ(folder.find(".."), std::string::npos) << row.name << ": " << folder;
            }
        }
        EXPECT_EQ(row.origin == Origin::driver, row.folders.front() == nullptr) << row.name;
    }
}

TEST(CatalogueTest, HasNoCyclesOfDependencies) {
    for (const CatalogueRow& row : detail::catalogue()) expect_acyclic(row, {});
}

TEST(CatalogueTest, NamesDependenciesBeforeTheirDependents) {
    for (const CatalogueRow& row : detail::catalogue()) {
        std::set<std::string> later;
        for (const char* const* need = row.needs.data(); *need != nullptr; ++need) later.insert(*need);
        for (const char* const* need = row.needs.data(); *need != nullptr; ++need) {
            later.erase(*need);
            const CatalogueRow& next = *detail::find_row(ArtifactKind::library, *need);
            for (const char* const* each = next.needs.data(); *each != nullptr; ++each) {
                EXPECT_FALSE(later.contains(*each)) << row.name << ": " << *each << " follows " << *need;
            }
        }
    }
}

}  // namespace cubind::testing
