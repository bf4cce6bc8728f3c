// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/compare.hpp"
#include "support/release_facts.hpp"

namespace cubind::testing {
namespace {

using gen::diff::compare_functions;
using gen::diff::compare_groups;
using gen::diff::compare_public_names;
using gen::spec::Json;

/// Returns one entry of compare_public_names.
Json name(const std::string& name, const std::string& old_symbol, const std::string& new_symbol,
          const std::string& old_per_thread = "", const std::string& new_per_thread = "") {
    return {{"name", name},
            {"old", old_symbol},
            {"new", new_symbol},
            {"old_per_thread", old_per_thread},
            {"new_per_thread", new_per_thread}};
}

TEST(CompareFunctionsTest, ListsAddedAndRemovedFunctions) {
    const Json diff =
        compare_functions(ReleaseFacts("12.0").function("toyOpen", {"int", "void *"}).group("BOX").function("toyStay"),
                          ReleaseFacts("13.0").function("toyStay").hidden("toyClose"));
    EXPECT_EQ(diff["added"],
              Json::array({{{"name", "toyClose"}, {"signature", "toyStatus ()"}, {"group", ""}, {"public", false}}}));
    EXPECT_EQ(diff["removed"],
              Json::array({{{"name", "toyOpen"}, {"signature", "toyStatus (int, void *)"}, {"group", "BOX"}, {"public", true}}}));
    EXPECT_EQ(diff["changed"], none);
}

TEST(CompareFunctionsTest, ListsASignatureThatChangedInPlace) {
    const Json diff = compare_functions(ReleaseFacts("12.0").function("toyOpen", {"int"}),
                                        ReleaseFacts("13.0").function("toyOpen", {"int", "long"}));
    EXPECT_EQ(diff["changed"],
              Json::array({{{"name", "toyOpen"}, {"old", "toyStatus (int)"}, {"new", "toyStatus (int, long)"}}}));
    EXPECT_EQ(diff["added"], none);
    EXPECT_EQ(diff["removed"], none);
}

TEST(CompareFunctionsTest, ComparesReturnTypes) {
    gen::spec::Facts after = ReleaseFacts("13.0").function("toyOpen");
    after.functions[0].returns = "void";
    EXPECT_EQ(compare_functions(ReleaseFacts("12.0").function("toyOpen"), after)["changed"][0]["new"], "void ()");
}

TEST(CompareFunctionsTest, IgnoresParameterNamesTagsAndHeaders) {
    gen::spec::Facts after = ReleaseFacts("13.0").function("toyOpen", {"int *"}).group("NEW");
    after.functions[0].parameters[0].name = "size";
    after.functions[0].parameters[0].direction = "out";
    after.functions[0].header = "toy_more.h";
    EXPECT_EQ(compare_functions(ReleaseFacts("12.0").function("toyOpen", {"int *"}), after)["changed"], none);
}

TEST(ComparePublicNamesTest, ListsANameThatRefersToAnotherFunction) {
    const Json diff =
        compare_public_names(ReleaseFacts("12.0").function("toyOpen_v2").name("toyOpen", "toyOpen_v2"),
                             ReleaseFacts("13.0").function("toyOpen_v2").function("toyOpen_v4").name("toyOpen", "toyOpen_v4"));
    EXPECT_EQ(diff, Json::array({name("toyOpen", "toyOpen_v2", "toyOpen_v4")}));
}

TEST(ComparePublicNamesTest, ListsANameThatWasTheSymbolOfItsFunction) {
    const ReleaseFacts own = ReleaseFacts("12.0").function("toyOpen");
    const ReleaseFacts other = ReleaseFacts("13.0").hidden("toyOpen").function("toyOpen_v2").name("toyOpen", "toyOpen_v2");
    EXPECT_EQ(compare_public_names(own, other)[0], name("toyOpen", "toyOpen", "toyOpen_v2"));
    EXPECT_EQ(compare_public_names(other, own)[0], name("toyOpen", "toyOpen_v2", "toyOpen"));
}

TEST(ComparePublicNamesTest, OmitsNamesThatChangeWithTheirFunction) {
    const ReleaseFacts empty("12.0");
    const ReleaseFacts full = ReleaseFacts("13.0").function("toyOpen_v2").name("toyOpen", "toyOpen_v2").function("toyClose");
    EXPECT_EQ(compare_public_names(empty, full), none);
    EXPECT_EQ(compare_public_names(full, empty), none);
}

TEST(ComparePublicNamesTest, ListsANameThatIsRemovedWithoutItsFunction) {
    const ReleaseFacts shown = ReleaseFacts("12.0").function("toyOpen");
    const ReleaseFacts hidden = ReleaseFacts("13.0").hidden("toyOpen");
    EXPECT_EQ(compare_public_names(shown, hidden), Json::array({name("toyOpen", "toyOpen", "")}));
    EXPECT_EQ(compare_public_names(hidden, shown), Json::array({name("toyOpen", "", "toyOpen")}));
}

TEST(ComparePublicNamesTest, ListsAChangedPerThreadSymbol) {
    const ReleaseFacts before = ReleaseFacts("12.0").function("toyRun").hidden("toyRun_ptsz");
    const ReleaseFacts after =
        ReleaseFacts("13.0").function("toyRun").hidden("toyRun_ptsz").name("toyRun", "toyRun", "toyRun_ptsz");
    EXPECT_EQ(compare_public_names(before, after), Json::array({name("toyRun", "toyRun", "toyRun", "", "toyRun_ptsz")}));
}

TEST(CompareGroupsTest, ListsGroupsOfOneReleaseOnly) {
    const Json diff =
        compare_groups(ReleaseFacts("12.0").function("toyOpen").group("BOX").function("toyLose").group("OLD"),
                       ReleaseFacts("13.0").function("toyOpen").group("BOX").function("toyWin").group("NEW").function("toyNone"));
    EXPECT_EQ(diff["added"], Json::array({"NEW"}));
    EXPECT_EQ(diff["removed"], Json::array({"OLD"}));
    EXPECT_FALSE(diff.contains("changed"));
}

TEST(CompareTest, ReturnsASectionForEachKind) {
    const Json diff = gen::diff::compare(ReleaseFacts("12.0"), ReleaseFacts("13.0"));
    std::vector<std::string> keys;
    for (const auto& [key, value] : diff.items()) keys.push_back(key);
    EXPECT_EQ(keys, (std::vector<std::string>{"library", "public_names", "functions", "types", "records", "enumerators",
                                              "constants", "variables", "groups"}));
    EXPECT_EQ(diff["library"], "toy");
}

}  // namespace
}  // namespace cubind::testing
