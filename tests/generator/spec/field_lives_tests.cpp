// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/field_lives.hpp"

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

TEST(FieldLife, is_unsaid_for_a_field_as_old_as_its_record) {
    const Facts facts = merged({release("12.0", 4, {field("width", "int", 0)}),
                                release("13.0", 8, {field("width", "int", 0), field("depth", "int", 4)})});
    EXPECT_EQ(size_of(facts).fields.at(0).since, "");
    EXPECT_EQ(size_of(facts).fields.at(1).since, "13.0");
    EXPECT_EQ(size_of(facts).fields.at(1).removed, "");
}

TEST(FieldLife, ends_in_the_former_body_of_the_record) {
    const Facts facts = merged({release("12.0", 4, {field("width", "int", 0)}), release("12.4", 4, {field("width", "int", 0)}),
                                release("13.0", 4, {field("breadth", "int", 0)})});
    EXPECT_EQ(size_of(facts).fields.at(0).since, "13.0");
    ASSERT_EQ(size_of(facts).history.size(), 1U);
    EXPECT_EQ(size_of(facts).history[0].fields.at(0).removed, "13.0");
}

TEST(FieldLife, goes_on_where_the_field_moves_into_an_anonymous_member) {
    const Facts facts =
        merged({release("12.0", 4, {field("width", "int", 0)}),
                release("13.0", 4, {nested("", 0, 4, {field("width", "int", 0), field("raw", "unsigned int", 0)}, true)})});
    const auto& inner = *size_of(facts).fields.at(0).record;
    EXPECT_EQ(size_of(facts).fields[0].since, "") << "an anonymous member has no life of its own";
    EXPECT_EQ(inner.fields.at(0).since, "") << "width is the same as before";
    EXPECT_EQ(inner.fields.at(1).since, "13.0");
    EXPECT_EQ(size_of(facts).history.at(0).fields.at(0).removed, "");
}

TEST(FieldLife, is_anothers_below_a_named_member) {
    const Facts facts = merged(
        {release("12.0", 4, {field("width", "int", 0)}), release("13.0", 4, {nested("size", 0, 4, {field("width", "int", 0)})})});
    EXPECT_EQ(size_of(facts).fields.at(0).since, "13.0");
    EXPECT_EQ(size_of(facts).fields.at(0).record->fields.at(0).since, "13.0");
    EXPECT_EQ(size_of(facts).history.at(0).fields.at(0).removed, "13.0");
}

TEST(FieldLife, reaches_through_several_anonymous_members) {
    const auto deep = [](const std::vector<Field>& fields) { return nested("", 0, 8, {nested("", 0, 8, fields)}, true); };
    const Facts facts = merged({release("12.0", 8, {deep({field("a", "int", 0)})}),
                                release("13.0", 8, {deep({field("a", "int", 0), field("b", "int", 4)})})});
    const auto& fields = size_of(facts).fields.at(0).record->fields.at(0).record->fields;
    EXPECT_EQ(fields.at(0).since, "");
    EXPECT_EQ(fields.at(1).since, "13.0");
}

TEST(FieldLife, does_not_count_what_the_record_itself_was_not_there_for) {
    const Facts facts = merged({ReleaseFacts("12.0"), release("13.0", 4, {field("width", "int", 0)}), ReleaseFacts("13.4")});
    EXPECT_EQ(size_of(facts).since, "13.0");
    EXPECT_EQ(size_of(facts).removed, "13.4");
    EXPECT_EQ(size_of(facts).fields.at(0).since, "");
    EXPECT_EQ(size_of(facts).fields.at(0).removed, "");
}

TEST(FieldLife, is_told_anew_when_an_older_release_is_merged) {
    const Facts newer = merged({release("12.4", 4, {field("width", "int", 0)}),
                                release("13.0", 8, {field("width", "int", 0), field("depth", "int", 4)})});
    const Facts facts = gen::spec::merge(newer, release("12.0", 4, {field("girth", "int", 0)}));
    EXPECT_EQ(size_of(facts).fields.at(0).since, "12.4");
    EXPECT_EQ(size_of(facts).fields.at(1).since, "13.0");
    EXPECT_EQ(size_of(facts).history.at(0).fields.at(0).removed, "12.4");
}

TEST(FieldLife, is_forgotten_in_a_snapshot) {
    const Facts facts = merged({release("12.0", 4, {field("width", "int", 0)}),
                                release("13.0", 8, {field("width", "int", 0), field("depth", "int", 4)})});
    EXPECT_EQ(size_of(gen::spec::snapshot(facts, "13.0")).fields.at(1).since, "");
}

}  // namespace
}  // namespace cubind::testing
