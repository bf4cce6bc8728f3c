// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/field_lifetimes.hpp"
#include "spec/merge.hpp"
#include "support/release_facts.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Facts;
using gen::spec::Field;
using gen::spec::Record;

Facts release(const std::string& number, std::int64_t size, const std::vector<Field>& fields) {
    return ReleaseFacts(number).record("toySize_st", size, fields);
}

const Record& size_of(const Facts& facts) {
    return find(facts.records, "toySize_st");
}

TEST(FieldLifetimesTest, OmitSinceForAFieldAsOldAsItsRecord) {
    const Facts facts = merge_all({release("12.0", 4, {field("width", "int", 0)}),
                                   release("13.0", 8, {field("width", "int", 0), field("depth", "int", 4)})});
    EXPECT_EQ(size_of(facts).fields.at(0).since, "");
    EXPECT_EQ(size_of(facts).fields.at(1).since, "13.0");
    EXPECT_EQ(size_of(facts).fields.at(1).removed, "");
}

TEST(FieldLifetimesTest, StateTheEndInTheFormerBody) {
    const Facts facts = merge_all({release("12.0", 4, {field("width", "int", 0)}), release("12.4", 4, {field("width", "int", 0)}),
                                   release("13.0", 4, {field("breadth", "int", 0)})});
    EXPECT_EQ(size_of(facts).fields.at(0).since, "13.0");
    ASSERT_EQ(size_of(facts).history.size(), 1U);
    EXPECT_EQ(size_of(facts).history[0].fields.at(0).removed, "13.0");
}

TEST(FieldLifetimesTest, ContinueInAnAnonymousMember) {
    const Facts facts =
        merge_all({release("12.0", 4, {field("width", "int", 0)}),
                   release("13.0", 4, {nested("", 0, 4, {field("width", "int", 0), field("raw", "unsigned int", 0)}, true)})});
    const auto& inner = *size_of(facts).fields.at(0).record;
    EXPECT_EQ(size_of(facts).fields[0].since, "") << "an anonymous member has no lifetime";
    EXPECT_EQ(inner.fields.at(0).since, "") << "width is the same field as before";
    EXPECT_EQ(inner.fields.at(1).since, "13.0");
    EXPECT_EQ(size_of(facts).history.at(0).fields.at(0).removed, "");
}

TEST(FieldLifetimesTest, StartAnewInANamedMember) {
    const Facts facts = merge_all(
        {release("12.0", 4, {field("width", "int", 0)}), release("13.0", 4, {nested("size", 0, 4, {field("width", "int", 0)})})});
    EXPECT_EQ(size_of(facts).fields.at(0).since, "13.0");
    EXPECT_EQ(size_of(facts).fields.at(0).record->fields.at(0).since, "13.0");
    EXPECT_EQ(size_of(facts).history.at(0).fields.at(0).removed, "13.0");
}

TEST(FieldLifetimesTest, ContinueThroughNestedAnonymousMembers) {
    const auto deep = [](const std::vector<Field>& fields) { return nested("", 0, 8, {nested("", 0, 8, fields)}, true); };
    const Facts facts = merge_all({release("12.0", 8, {deep({field("a", "int", 0)})}),
                                   release("13.0", 8, {deep({field("a", "int", 0), field("b", "int", 4)})})});
    const auto& fields = size_of(facts).fields.at(0).record->fields.at(0).record->fields;
    EXPECT_EQ(fields.at(0).since, "");
    EXPECT_EQ(fields.at(1).since, "13.0");
}

TEST(FieldLifetimesTest, IgnoreReleasesWithoutTheRecord) {
    const Facts facts = merge_all({ReleaseFacts("12.0"), release("13.0", 4, {field("width", "int", 0)}), ReleaseFacts("13.4")});
    EXPECT_EQ(size_of(facts).since, "13.0");
    EXPECT_EQ(size_of(facts).removed, "13.4");
    EXPECT_EQ(size_of(facts).fields.at(0).since, "");
    EXPECT_EQ(size_of(facts).fields.at(0).removed, "");
}

TEST(FieldLifetimesTest, AreUpdatedByMergingAnOlderRelease) {
    const Facts newer = merge_all({release("12.4", 4, {field("width", "int", 0)}),
                                   release("13.0", 8, {field("width", "int", 0), field("depth", "int", 4)})});
    const Facts facts = gen::spec::merge(newer, release("12.0", 4, {field("girth", "int", 0)}));
    EXPECT_EQ(size_of(facts).fields.at(0).since, "12.4");
    EXPECT_EQ(size_of(facts).fields.at(1).since, "13.0");
    EXPECT_EQ(size_of(facts).history.at(0).fields.at(0).removed, "12.4");
}

TEST(FieldLifetimesTest, AreRemovedFromASnapshot) {
    const Facts facts = merge_all({release("12.0", 4, {field("width", "int", 0)}),
                                   release("13.0", 8, {field("width", "int", 0), field("depth", "int", 4)})});
    EXPECT_EQ(size_of(gen::spec::snapshot(facts, "13.0")).fields.at(1).since, "");
}

}  // namespace
}  // namespace cubind::testing
