// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_test.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Field;

class CheckLayouts : public ModelTest {
protected:
    void expect_refused(const gen::spec::Facts& facts, const std::string& place, const std::string& reason) const {
        EXPECT_EQ(error(facts),
                  file("api.json") + ": records/" + place + ": " + reason + "; undo the edit, or extract the headers again");
    }
    static gen::spec::Facts with(std::int64_t size, std::int64_t alignment, const std::vector<Field>& fields) {
        gen::spec::Facts facts = release("13.4").record("toySize_st", size, fields);
        facts.records[0].alignment = alignment;
        return facts;
    }
};

TEST_F(CheckLayouts, is_content_where_fields_stand_as_the_language_puts_them) {
    build(with(24, 8, {field("c", "char", 0), field("s", "short", 2), field("p", "void *", 8), field("i", "int[2]", 16)}));
    build(with(1, 1, {}));
    build(with(64, 64, {field("c", "char[64]", 0)}));  // more aligned than it must be
    build(with(
        16, 8,
        {field("i", "int", 0), nested("", 4, 4, {field("a", "int", 0), field("f", "float", 0)}, true), field("l", "long", 8)}));
}

TEST_F(CheckLayouts, refuses_an_edited_offset) {
    expect_refused(with(8, 4, {field("width", "int", 0), field("height", "int", 2)}), "toySize_st",
                   "offset of height is 2, but its type and the fields before it put it at 4");
    expect_refused(with(8, 4, {field("width", "int", 4), field("height", "int", 4)}), "toySize_st",
                   "offset of width is 4, but its type and the fields before it put it at 0");
}

TEST_F(CheckLayouts, refuses_an_edited_size) {
    expect_refused(with(12, 4, {field("width", "int", 0), field("height", "int", 4)}), "toySize_st",
                   "size is 12, but its fields make 8 bytes");
    expect_refused(with(4, 4, {field("width", "int", 0), field("height", "int", 4)}), "toySize_st",
                   "size is 4, but its fields make 8 bytes");
    expect_refused(with(0, 1, {}), "toySize_st", "size is 0, but its fields make 1 bytes");
}

TEST_F(CheckLayouts, refuses_an_edited_alignment) {
    expect_refused(with(8, 4, {field("p", "void *", 0)}), "toySize_st", "alignment is 4, but a field needs 8");
    expect_refused(with(8, 16, {field("p", "void *", 0)}), "toySize_st", "size is 8, but its fields make 16 bytes");
}

TEST_F(CheckLayouts, refuses_numbers_that_no_record_has) {
    for (const std::int64_t alignment : {0, -8, 3, 8192}) {
        expect_refused(with(8, alignment, {field("width", "int", 0)}), "toySize_st",
                       "alignment is " + std::to_string(alignment) + ", which is no power of two up to 4096");
    }
    expect_refused(with(-4, 4, {field("width", "int", 0)}), "toySize_st", "size is -4");
    const std::string all = std::to_string(std::int64_t{1} << 48);
    expect_refused(with(8, 4, {field("wide", "int[4294967296][4294967296]", 0), field("after", "char", 0)}), "toySize_st",
                   "offset of after is 0, but its type and the fields before it put it at " + all);
}

TEST_F(CheckLayouts, refuses_an_edited_type) {
    expect_refused(with(8, 4, {field("width", "char", 0), field("height", "char", 4)}), "toySize_st",
                   "offset of height is 4, but its type and the fields before it put it at 1");
}

TEST_F(CheckLayouts, looks_into_members_that_are_described_in_place) {
    expect_refused(with(8, 4, {nested("in", 0, 8, {field("a", "int", 0), field("b", "int", 5)})}), "toySize_st.in",
                   "offset of b is 5, but its type and the fields before it put it at 4");
    expect_refused(with(8, 4, {nested("", 0, 8, {field("a", "int", 0)})}), "toySize_st.(unnamed)",
                   "size is 8, but its fields make 4 bytes");
    expect_refused(with(8, 4, {field("i", "int", 0), nested("", 0, 4, {field("a", "int", 0)})}), "toySize_st",
                   "offset of an unnamed field is 0, but its type and the fields before it put it at 4");
}

TEST_F(CheckLayouts, puts_every_member_of_a_union_at_its_start) {
    gen::spec::Facts facts = with(4, 4, {field("a", "int", 0), field("b", "float", 0)});
    facts.records[0].is_union = true;
    build(facts);
    facts.records[0].fields[1].offset = 4;
    expect_refused(facts, "toySize_st", "offset of b is 4, but its type and the fields before it put it at 0");
}

TEST_F(CheckLayouts, counts_arrays_of_a_member_described_in_place) {
    Field rows = nested("rows", 0, 4, {field("a", "int", 0)});
    rows.extents = {2, 3};
    build(with(24, 4, {rows}));
    expect_refused(with(4, 4, {rows}), "toySize_st", "size is 4, but its fields make 24 bytes");
}

TEST_F(CheckLayouts, follows_names_to_what_they_stand_for) {
    gen::spec::Facts facts = release("13.4")
                                 .alias("toyCount", "long")
                                 .handle("toyBox", "toyBox_st")
                                 .record("toyPoint", 8, {field("x", "int", 0), field("y", "int", 4)})
                                 .record("toySize_st", 32,
                                         {field("n", "toyCount", 0), field("box", "toyBox", 8), field("p", "toyPoint", 16),
                                          field("s", "toyStatus", 24)});
    facts.records[1].alignment = 8;
    build(facts);
    facts.records[1].fields[3].offset = 28;
    expect_refused(facts, "toySize_st", "offset of s is 28, but its type and the fields before it put it at 24");
    facts.records[1].fields[3].offset = 24;
}

}  // namespace
}  // namespace cubind::testing
