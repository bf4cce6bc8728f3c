// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/compare.hpp"
#include "support/release_facts.hpp"

namespace cubind::testing {
namespace {

using gen::diff::compare_constants;
using gen::diff::compare_enumerators;
using gen::diff::compare_types;
using gen::diff::compare_variables;
using gen::spec::Facts;
using gen::spec::Json;

TEST(CompareTypesTest, ListsAddedAndRemovedTypesOfEachKind) {
    const ReleaseFacts empty("12.0");
    const ReleaseFacts full = ReleaseFacts("13.0")
                                  .enumeration("toyA", {})
                                  .record("toyB", 4, {})
                                  .handle("toyC", "toyC_st")
                                  .alias("toyD", "int")
                                  .callback("toyE", {});
    const Json all = {{{"name", "toyA"}, {"kind", "enum"}},
                      {{"name", "toyB"}, {"kind", "record"}},
                      {{"name", "toyC"}, {"kind", "handle"}},
                      {{"name", "toyD"}, {"kind", "alias"}},
                      {{"name", "toyE"}, {"kind", "callback"}}};
    EXPECT_EQ(compare_types(empty, full)["added"], all);
    EXPECT_EQ(compare_types(empty, full)["removed"], none);
    EXPECT_EQ(compare_types(full, empty)["removed"], all);
}

/// Returns the change of the only type; null if there is none.
Json change(const Facts& before, const Facts& after) {
    const Json diff = compare_types(before, after);
    EXPECT_EQ(diff["added"], none);
    EXPECT_EQ(diff["removed"], none);
    return diff["changed"].empty() ? Json() : diff["changed"][0];
}

Json changed(const std::string& kind, const std::string& old_text, const std::string& new_text) {
    return {{"name", "toyA"}, {"kind", kind}, {"old", old_text}, {"new", new_text}};
}

TEST(CompareTypesTest, ListsTheNewTypeOfEachKind) {
    EXPECT_EQ(change(ReleaseFacts("12.0").alias("toyA", "int"), ReleaseFacts("13.0").alias("toyA", "long")),
              changed("alias", "int", "long"));
    EXPECT_EQ(change(ReleaseFacts("12.0").handle("toyA", "one"), ReleaseFacts("13.0").handle("toyA", "two")),
              changed("handle", "one *", "two *"));
    EXPECT_EQ(change(ReleaseFacts("12.0").callback("toyA", {"int"}), ReleaseFacts("13.0").callback("toyA", {"int", "long"})),
              changed("callback", "void (int)", "void (int, long)"));
    Facts other = ReleaseFacts("13.0").enumeration("toyA", {});
    other.enums[0].underlying = "int";
    EXPECT_EQ(change(ReleaseFacts("12.0").enumeration("toyA", {}), other), changed("enum", "unsigned int", "int"));
    other = ReleaseFacts("13.0").record("toyA", 4, {});
    other.records[0].is_union = true;
    EXPECT_EQ(change(ReleaseFacts("12.0").record("toyA", 4, {}), other), changed("record", "struct", "union"));
}

TEST(CompareTypesTest, ListsATypeThatChangedItsKind) {
    EXPECT_EQ(change(ReleaseFacts("12.0").alias("toyA", "int"), ReleaseFacts("13.0").record("toyA", 4, {})),
              changed("record", "int", "struct"));
    EXPECT_EQ(change(ReleaseFacts("12.0").alias("toyA", "toyA_st *"), ReleaseFacts("13.0").handle("toyA", "toyA_st"))["kind"],
              "handle");
}

TEST(CompareTypesTest, OmitsFieldsAndEnumerators) {
    EXPECT_TRUE(change(ReleaseFacts("12.0").record("toyA", 4, {field("a", "int", 0)}), ReleaseFacts("13.0").record("toyA", 8, {}))
                    .is_null());
    EXPECT_TRUE(
        change(ReleaseFacts("12.0").enumeration("toyA", {{"RED", 0}}), ReleaseFacts("13.0").enumeration("toyA", {})).is_null());
}

TEST(CompareEnumeratorsTest, ListsAddedRemovedAndChangedEnumerators) {
    const Json diff = compare_enumerators(ReleaseFacts("12.0").enumeration("toyColor", {{"RED", 0}, {"MAX", 1}, {"SAME", 7}}),
                                          ReleaseFacts("13.0").enumeration("toyColor", {{"SAME", 7}, {"MAX", 2}, {"BLUE", 1}}));
    EXPECT_EQ(diff["added"], Json::array({{{"name", "BLUE"}, {"enum", "toyColor"}, {"value", 1}}}));
    EXPECT_EQ(diff["removed"], Json::array({{{"name", "RED"}, {"enum", "toyColor"}, {"value", 0}}}));
    EXPECT_EQ(diff["changed"], Json::array({{{"name", "MAX"}, {"enum", "toyColor"}, {"old", 1}, {"new", 2}}}));
}

TEST(CompareEnumeratorsTest, ListsAMovedEnumeratorAsChanged) {
    const Json diff = compare_enumerators(ReleaseFacts("12.0").enumeration("toyColor", {{"ROUND", 1}}),
                                          ReleaseFacts("13.0").enumeration("toyShape", {{"ROUND", 2}}));
    EXPECT_EQ(diff["added"], none);
    EXPECT_EQ(diff["removed"], none);
    EXPECT_EQ(diff["changed"], Json::array({{{"name", "ROUND"}, {"enum", "toyShape"}, {"old", 1}, {"new", 2}}}));
}

TEST(CompareConstantsTest, ListsAddedRemovedAndChangedConstants) {
    const Json diff =
        compare_constants(ReleaseFacts("12.0").constant("TOY_OLD", 1).constant("TOY_MAX", 2).constant("TOY_SAME", 3),
                          ReleaseFacts("13.0").constant("TOY_MAX", 4).constant("TOY_NEW", 5).constant("TOY_SAME", 3));
    EXPECT_EQ(diff["added"], Json::array({{{"name", "TOY_NEW"}, {"type", "int"}, {"value", 5}}}));
    EXPECT_EQ(diff["removed"], Json::array({{{"name", "TOY_OLD"}, {"type", "int"}, {"value", 1}}}));
    EXPECT_EQ(diff["changed"], Json::array({{{"name", "TOY_MAX"}, {"old", 2}, {"new", 4}}}));
}

TEST(CompareVariablesTest, ListsAddedRemovedAndChangedVariables) {
    const Json diff = compare_variables(
        ReleaseFacts("12.0").variable("TOY_OLD", "int").variable("TOY_DEFAULT", "int").variable("TOY_SAME", "int"),
        ReleaseFacts("13.0").variable("TOY_DEFAULT", "long").variable("TOY_NEW", "int").variable("TOY_SAME", "int"));
    EXPECT_EQ(diff["added"], Json::array({{{"name", "TOY_NEW"}, {"type", "int"}}}));
    EXPECT_EQ(diff["removed"], Json::array({{{"name", "TOY_OLD"}, {"type", "int"}}}));
    EXPECT_EQ(diff["changed"], Json::array({{{"name", "TOY_DEFAULT"}, {"old", "int"}, {"new", "long"}}}));
}

}  // namespace
}  // namespace cubind::testing
