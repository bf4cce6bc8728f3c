// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

/// What `update` prints about additions for which overrides.json may need an entry that no question asks for.
class ReviewTest : public UpdateTest {
protected:
    void add_override(const std::string& text) const {
        replace(overrides, "{\n  \"functions\"", "{\n  " + text + ",\n  \"functions\"");
    }
};

TEST_F(ReviewTest, NamesFunctionsThatMayBeginOrEndTheLifeOfAnObject) {
    add_override(R"("objects": {"box": {"begin": {"toyOpen": "box"}, "end": {"toyClose": "box"}}})");
    change_header(
        "13050",
        "toyStatus toyClose_v2(toyBox box);\ntoyStatus toyDestroyAll(void);\ntoyStatus toyAllocationState(toyBox box);\n");
    const std::string output = expect_updated();
    expect_contains(output, "toy: toyDestroyAll is in no entry of objects");
    expect_not_contains(output, "toyClose_v2 is in");
    expect_not_contains(output, "toyAllocationState is in");
    expect_not_contains(expect_updated(), "is in no entry");
}

TEST_F(ReviewTest, NamesFunctionsWhoseObjectsMayHaveToBelongToOneContext) {
    change_header("13050", "toyStatus toyStack(toyBox lower, toyBox upper);\n");
    expect_not_contains(expect_updated(), "several handles");
    add_override(R"("same_context": {"toyStack": ["lower", "upper"]})");
    replace(header, "13050", "13060");
    replace(
        header, "toyStatus toyStack(",
        "toyStatus toyStack_v2(toyBox lower, toyBox upper);\ntoyStatus toyPour(toyBox from, toyBox to);\ntoyStatus toyStack(");
    const std::string output = expect_updated();
    expect_contains(output, "toy: toyPour has several handles");
    expect_not_contains(output, "toyStack_v2 has");
}

TEST_F(ReviewTest, NamesRecordsThatBeginWithAFieldThatHasAnInitialValueElsewhere) {
    change_header("13050",
                  "typedef struct { int width; int height; } toyPlan;\ntypedef struct { int height; int width; } toyLid;\n");
    const std::string output = expect_updated();
    expect_contains(output, "toy: toyPlan begins with the field width, which has an initial value in other records");
    expect_not_contains(output, "toyLid begins");
}

TEST_F(ReviewTest, NamesEnumsThatMayBeSetsOfBits) {
    change_header("13050",
                  "typedef enum { TOY_WET = 1, TOY_OLD = 2, TOY_RED = 4 } toyTraits;\n"
                  "typedef enum { TOY_UP = 1, TOY_DOWN = 2, TOY_LEFT = 3 } toyWay;\n");
    const std::string output = expect_updated();
    expect_contains(output, "toy: toyTraits has bits only");
    expect_not_contains(output, "toyWay has bits");
}

TEST_F(ReviewTest, NamesAttributesWithoutAnAnnotation) {
    change_header("13050", "typedef enum { TOY_HAS_LID = 1 } toyFeature;\n");
    add_override(R"("attributes": {"toyFeature": {"class": "Features", "prefix": "TOY_HAS_"}})");
    expect_updated();
    replace(header, "TOY_HAS_LID = 1", "TOY_HAS_LID = 1, TOY_HAS_KEY = 2, TOY_HAS_MAX = 3");
    replace(header, "13050", "13060");
    replace(overrides, R"("prefix": "TOY_HAS_")", R"("prefix": "TOY_HAS_", "left_out": ["TOY_HAS_MAX"])");
    const std::string output = expect_updated();
    expect_contains(output, "toy: TOY_HAS_KEY is a number without a unit");
    expect_not_contains(output, "TOY_HAS_LID is");
    expect_not_contains(output, "TOY_HAS_MAX is");
}

TEST_F(ReviewTest, PrintsNothingAboutAnOlderRelease) {
    change_header("12000", "toyStatus toyDestroyAll(void);\n");
    expect_not_contains(expect_updated(), "is in no entry");
}

}  // namespace
}  // namespace cubind::testing
