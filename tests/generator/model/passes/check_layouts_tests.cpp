// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "model/model_test.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Field;

class CheckLayoutsTest : public ModelTest {
protected:
    /// Expects an error that names the file and the place and contains `part`.
    void expect_rejected(const gen::spec::Facts& facts, const std::string& place, const std::string& part) const {
        const std::string message = error(facts);
        EXPECT_TRUE(message.starts_with(file("api.json") + ": records/" + place + ": ")) << message;
        expect_contains(message, part);
    }
    static gen::spec::Facts with(std::int64_t size, std::int64_t alignment, const std::vector<Field>& fields) {
        gen::spec::Facts facts = release("13.4").record("toySize_st", size, fields);
        facts.records[0].alignment = alignment;
        return facts;
    }
};

TEST_F(CheckLayoutsTest, AcceptsNaturalLayouts) {
    build(with(24, 8, {field("c", "char", 0), field("s", "short", 2), field("p", "void *", 8), field("i", "int[2]", 16)}));
    build(with(1, 1, {}));
    build(with(64, 64, {field("c", "char[64]", 0)}));  // a larger alignment than the fields require
    build(with(
        16, 8,
        {field("i", "int", 0), nested("", 4, 4, {field("a", "int", 0), field("f", "float", 0)}, true), field("l", "long", 8)}));
}

TEST_F(CheckLayoutsTest, RejectsAnEditedOffset) {
    expect_rejected(with(8, 4, {field("width", "int", 0), field("height", "int", 2)}), "toySize_st",
                    "offset of height is 2, but its type and the fields before it result in 4");
    expect_rejected(with(8, 4, {field("width", "int", 4), field("height", "int", 4)}), "toySize_st",
                    "offset of width is 4, but its type and the fields before it result in 0");
}

TEST_F(CheckLayoutsTest, RejectsAnEditedSize) {
    expect_rejected(with(12, 4, {field("width", "int", 0), field("height", "int", 4)}), "toySize_st",
                    "size is 12, but the fields result in 8 bytes");
    expect_rejected(with(4, 4, {field("width", "int", 0), field("height", "int", 4)}), "toySize_st",
                    "size is 4, but the fields result in 8 bytes");
    expect_rejected(with(0, 1, {}), "toySize_st", "size is 0, but the fields result in 1 bytes");
}

TEST_F(CheckLayoutsTest, RejectsAnEditedAlignment) {
    expect_rejected(with(8, 4, {field("p", "void *", 0)}), "toySize_st", "alignment is 4, but a field requires 8");
    expect_rejected(with(8, 16, {field("p", "void *", 0)}), "toySize_st", "size is 8, but the fields result in 16 bytes");
}

TEST_F(CheckLayoutsTest, RejectsImpossibleNumbers) {
    for (const std::int64_t alignment : {0, -8, 3, 8192}) {
        expect_rejected(with(8, alignment, {field("width", "int", 0)}), "toySize_st",
                        "alignment is " + std::to_string(alignment) + ", which is not a power of two up to 4096");
    }
    expect_rejected(with(-4, 4, {field("width", "int", 0)}), "toySize_st", "size is -4");
    const std::string all = std::to_string(std::int64_t{1} << 48);
    expect_rejected(with(8, 4, {field("wide", "int[4294967296][4294967296]", 0), field("after", "char", 0)}), "toySize_st",
                    "offset of after is 0, but its type and the fields before it result in " + all);
}

TEST_F(CheckLayoutsTest, RejectsAnEditedType) {
    expect_rejected(with(8, 4, {field("width", "char", 0), field("height", "char", 4)}), "toySize_st",
                    "offset of height is 4, but its type and the fields before it result in 1");
}

TEST_F(CheckLayoutsTest, ChecksNestedMembers) {
    expect_rejected(with(8, 4, {nested("in", 0, 8, {field("a", "int", 0), field("b", "int", 5)})}), "toySize_st.in",
                    "offset of b is 5, but its type and the fields before it result in 4");
    expect_rejected(with(8, 4, {nested("", 0, 8, {field("a", "int", 0)})}), "toySize_st.(unnamed)",
                    "size is 8, but the fields result in 4 bytes");
    expect_rejected(with(8, 4, {field("i", "int", 0), nested("", 0, 4, {field("a", "int", 0)})}), "toySize_st",
                    "offset of an unnamed field is 0, but its type and the fields before it result in 4");
}

TEST_F(CheckLayoutsTest, ExpectsUnionMembersAtOffsetZero) {
    gen::spec::Facts facts = with(4, 4, {field("a", "int", 0), field("b", "float", 0)});
    facts.records[0].is_union = true;
    build(facts);
    facts.records[0].fields[1].offset = 4;
    expect_rejected(facts, "toySize_st", "offset of b is 4, but its type and the fields before it result in 0");
}

TEST_F(CheckLayoutsTest, CountsArraysOfNestedMembers) {
    Field rows = nested("rows", 0, 4, {field("a", "int", 0)});
    rows.extents = {2, 3};
    build(with(24, 4, {rows}));
    expect_rejected(with(4, 4, {rows}), "toySize_st", "size is 4, but the fields result in 24 bytes");
}

TEST_F(CheckLayoutsTest, ResolvesTypeNames) {
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
    expect_rejected(facts, "toySize_st", "offset of s is 28, but its type and the fields before it result in 24");
    facts.records[1].fields[3].offset = 24;
}

}  // namespace
}  // namespace cubind::testing
