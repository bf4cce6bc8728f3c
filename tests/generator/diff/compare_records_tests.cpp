// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/compare.hpp"
#include "support/release_facts.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Field;
using gen::spec::Json;

gen::spec::Facts release(std::int64_t size, const std::vector<Field>& fields) {
    return ReleaseFacts("12.0").record("toySize_st", size, fields);
}

/// Returns the changes of the only record. Fails the test if there is not exactly one changed record.
Json changes(const gen::spec::Facts& before, const gen::spec::Facts& after) {
    const Json diff = gen::diff::compare_records(before, after);
    if (diff.size() != 1) {
        ADD_FAILURE() << diff;
        return Json::object();
    }
    EXPECT_EQ(diff[0]["name"], "toySize_st");
    return diff[0];
}

TEST(CompareRecordsTest, ListsSizesAndAddedFields) {
    const Json diff =
        changes(release(4, {field("width", "int", 0)}), release(8, {field("width", "int", 0), field("height", "int", 4)}));
    EXPECT_EQ(diff["old_size"], 4);
    EXPECT_EQ(diff["new_size"], 8);
    EXPECT_EQ(diff["fields"]["added"], Json::array({{{"path", "height"}, {"type", "int"}, {"offset", 4}}}));
    for (const char* kind : {"removed", "moved", "retyped"}) EXPECT_EQ(diff["fields"][kind], none) << kind;
}

TEST(CompareRecordsTest, ListsRemovedFields) {
    const Json diff =
        changes(release(8, {field("width", "int", 0), field("height", "int", 4)}), release(8, {field("width", "int", 0)}));
    EXPECT_EQ(diff["fields"]["removed"], Json::array({{{"path", "height"}, {"type", "int"}, {"offset", 4}}}));
    EXPECT_EQ(diff["fields"]["added"], none);
}

TEST(CompareRecordsTest, ListsMovedAndRetypedFields) {
    const Json diff = changes(release(8, {field("a", "int", 0), field("b", "int", 4)}),
                              release(8, {field("b", "float", 0), field("a", "int", 4)}));
    EXPECT_EQ(diff["fields"]["moved"], Json::array({{{"path", "a"}, {"old_offset", 0}, {"new_offset", 4}},
                                                    {{"path", "b"}, {"old_offset", 4}, {"new_offset", 0}}}));
    EXPECT_EQ(diff["fields"]["retyped"], Json::array({{{"path", "b"}, {"old", "int"}, {"new", "float"}}}));
}

TEST(CompareRecordsTest, ListsAChangedAlignment) {
    gen::spec::Facts after = release(8, {field("a", "int", 0)});
    after.records[0].alignment = 8;
    const Json diff = changes(release(8, {field("a", "int", 0)}), after);
    EXPECT_EQ(diff["old_alignment"], 4);
    EXPECT_EQ(diff["new_alignment"], 8);
}

TEST(CompareRecordsTest, ComparesFieldsOfAnonymousMembers) {
    const Json diff =
        changes(release(8, {field("a", "int", 0), nested("", 4, 4, {field("b", "int", 0)}, true)}),
                release(12, {field("a", "int", 0), field("new", "int", 4), nested("", 8, 4, {field("b", "int", 0)}, true)}));
    EXPECT_EQ(diff["fields"]["moved"], Json::array({{{"path", "b"}, {"old_offset", 4}, {"new_offset", 8}}}));
}

TEST(CompareRecordsTest, AddsTheOffsetsOfEveryLevel) {
    const auto deep = [](std::int64_t offset) {
        return nested("", 4, 12, {nested("in", offset, 4, {field("a", "int", 0), field("b", "int", 4)})});
    };
    const Json diff = changes(release(16, {deep(0)}), release(16, {deep(4)}));
    EXPECT_EQ(diff["fields"]["moved"], Json::array({{{"path", "in"}, {"old_offset", 4}, {"new_offset", 8}},
                                                    {{"path", "in.a"}, {"old_offset", 4}, {"new_offset", 8}},
                                                    {{"path", "in.b"}, {"old_offset", 8}, {"new_offset", 12}}}));
}

TEST(CompareRecordsTest, OmitsAFieldThatMovedIntoAnAnonymousMember) {
    EXPECT_EQ(gen::diff::compare_records(release(4, {field("a", "int", 0)}),
                                         release(4, {nested("", 0, 4, {field("a", "int", 0)}, true)})),
              none);
}

TEST(CompareRecordsTest, NamesFieldsOfANamedMemberByPath) {
    const Json diff = changes(release(8, {nested("in", 0, 8, {field("a", "int", 0), field("b", "int", 4)})}),
                              release(8, {nested("in", 0, 8, {field("a", "int", 0), field("c", "int", 4)})}));
    EXPECT_EQ(diff["fields"]["added"][0]["path"], "in.c");
    EXPECT_EQ(diff["fields"]["removed"][0]["path"], "in.b");
}

TEST(CompareRecordsTest, ComparesArraysOfNestedRecords) {
    Field two = nested("in", 0, 4, {field("a", "int", 0)});
    Field three = two;
    two.extents = {2};
    three.extents = {3};
    EXPECT_EQ(changes(release(8, {two}), release(12, {three}))["fields"]["retyped"],
              Json::array({{{"path", "in"}, {"old", "struct[2]"}, {"new", "struct[3]"}}}));
}

TEST(CompareRecordsTest, OmitsRecordsOfOneReleaseOnly) {
    const gen::spec::Facts empty = ReleaseFacts("12.0");
    EXPECT_EQ(gen::diff::compare_records(empty, release(4, {field("a", "int", 0)})), none);
    EXPECT_EQ(gen::diff::compare_records(release(4, {field("a", "int", 0)}), empty), none);
    EXPECT_EQ(gen::diff::compare_records(release(4, {field("a", "int", 0)}), release(4, {field("a", "int", 0)})), none);
}

}  // namespace
}  // namespace cubind::testing
