// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_test.hpp"

namespace cubind::testing {
namespace {

using gen::model::Model;

class BindReleases : public ModelTest {
protected:
    /// toyTurn has another signature in major 13, where toyOld is gone and toyFresh is new.
    static gen::spec::Facts two_majors() {
        const auto version = [](ReleaseFacts facts) { return facts.function("toyVersion", {"int *"}).group("TOY_MAIN"); };
        return merged(
            {version(release("12.0")).function("toyTurn", {"int"}).group("TOY_MAIN").function("toyOld").group("TOY_MAIN"),
             version(release("12.8")).function("toyTurn", {"int"}).group("TOY_MAIN").function("toyOld").group("TOY_MAIN"),
             version(release("13.0"))
                 .function("toyTurn", {"long", "long"})
                 .group("TOY_MAIN")
                 .function("toyFresh")
                 .group("TOY_MAIN")});
    }
    /// Names of the enumerators of an enum and of the constants that are called TOY_X.
    static std::vector<std::string> holders(const Model& model) {
        std::vector<std::string> names;
        for (const auto& entry : model.facts.enums) {
            for (const auto& each : entry.enumerators) {
                if (each.name == "TOY_X") names.push_back(entry.name);
            }
        }
        for (const auto& each : model.facts.constants) {
            if (each.name == "TOY_X") names.emplace_back("constant");
        }
        return names;
    }
};

TEST_F(BindReleases, binds_all_releases_where_no_major_is_named) {
    const Model model = build(two_majors());
    EXPECT_EQ(model.facts.releases.size(), 3U);
    EXPECT_EQ(find(model.facts.functions, "toyTurn").parameters.size(), 2U);
    EXPECT_EQ(find(model.facts.functions, "toyOld").removed, "13.0");
    EXPECT_EQ(find(model.facts.functions, "toyFresh").since, "13.0");
}

TEST_F(BindReleases, keeps_the_signatures_of_the_major_that_library_json_names) {
    bind_to(12);
    const Model model = build(two_majors());
    EXPECT_EQ(model.facts.releases, (std::vector<std::string>{"12.0", "12.8"}));
    EXPECT_EQ(find(model.facts.functions, "toyTurn").parameters.size(), 1U);
    EXPECT_EQ(find(model.facts.functions, "toyOld").removed, "") << "no release of this major dropped it";
    for (const auto& function : model.functions) EXPECT_NE(function.symbol, "toyFresh");
}

TEST_F(BindReleases, keeps_nothing_of_the_majors_before) {
    bind_to(13);
    const Model model = build(two_majors());
    EXPECT_EQ(model.facts.releases, std::vector<std::string>{"13.0"});
    for (const auto& function : model.functions) EXPECT_NE(function.symbol, "toyOld");
    EXPECT_TRUE(find(model.facts.functions, "toyTurn").history.empty());
}

TEST_F(BindReleases, tells_availability_over_all_majors) {
    bind_to(12);
    const Model model = build(two_majors());
    EXPECT_EQ(model.availability.at("toyFresh").since, "13.0");
    EXPECT_EQ(model.availability.at("toyOld").removed, "13.0");
}

TEST_F(BindReleases, refuses_a_major_that_no_release_has) {
    bind_to(14);
    EXPECT_EQ(error(two_majors()),
              specs_.below("toy/library.json").string() +
                  ": loading/major is 14, but api.json has no release of it, only up to 13.0; extract headers of CUDA 14, "
                  "or correct the number");
}

TEST_F(BindReleases, leaves_an_enumerator_to_the_enum_that_has_it_now) {
    const Model model =
        build(merged({release("12.0").enumeration("toyA", {{"TOY_X", 0}}).enumeration("toyB", {{"TOY_Y", 1}}),
                      release("13.0").enumeration("toyA", {}).enumeration("toyB", {{"TOY_Y", 1}, {"TOY_X", 2}})}));
    EXPECT_EQ(holders(model), std::vector<std::string>{"toyB"});
    EXPECT_EQ(model.availability.at("TOY_X").since, "12.0");
    EXPECT_EQ(model.availability.at("TOY_X").removed, "");
}

TEST_F(BindReleases, leaves_a_name_to_the_enumerator_that_a_constant_became) {
    const Model model = build(merged(
        {release("12.0").enumeration("toyA", {}).constant("TOY_X", 1), release("13.0").enumeration("toyA", {{"TOY_X", 1}})}));
    EXPECT_EQ(holders(model), std::vector<std::string>{"toyA"});
}

TEST_F(BindReleases, leaves_a_name_to_the_constant_that_an_enumerator_became) {
    const Model model = build(merged(
        {release("12.0").enumeration("toyA", {{"TOY_X", 1}}), release("13.0").enumeration("toyA", {}).constant("TOY_X", 1)}));
    EXPECT_EQ(holders(model), std::vector<std::string>{"constant"});
}

TEST_F(BindReleases, gives_a_name_that_all_dropped_to_the_last_that_had_it) {
    const Model moved = build(merged({release("12.0").enumeration("toyA", {{"TOY_X", 0}}).enumeration("toyB", {}),
                                      release("12.4").enumeration("toyA", {}).enumeration("toyB", {{"TOY_X", 2}}),
                                      release("13.0").enumeration("toyA", {}).enumeration("toyB", {})}));
    EXPECT_EQ(holders(moved), std::vector<std::string>{"toyB"});
    const Model changed =
        build(merged({release("12.0").enumeration("toyA", {}).constant("TOY_X", 1),
                      release("12.4").enumeration("toyA", {{"TOY_X", 1}}), release("13.0").enumeration("toyA", {})}));
    EXPECT_EQ(holders(changed), std::vector<std::string>{"toyA"});
}

TEST_F(BindReleases, leaves_a_type_to_the_kind_that_it_has_now) {
    const Model model =
        build(merged({release("12.0").alias("toyThing", "int"), release("13.0").record("toyThing", 4, {field("a", "int", 0)})}));
    EXPECT_EQ(model.types.at("toyThing"), gen::model::TypeKind::record);
    EXPECT_TRUE(model.facts.aliases.empty());
}

}  // namespace
}  // namespace cubind::testing
