// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_test.hpp"

namespace cubind::testing {
namespace {

/// Rules of overrides.json and library.json that apply to all functions of a library.
class ParameterRulesTest : public ModelTest {
protected:
    /// Adds these keys to overrides.json.
    void override_with(const std::string& keys) const {
        specs_.write("toy/overrides.json", "{" + keys + ", " + good_.substr(good_.find('{') + 1));
    }
    static gen::spec::Facts two_functions() {
        return release("13.4")
            .function("toyGet", {"int *"})
            .group("TOY_MAIN")
            .function("toySet", {"const void *", "size_t"})
            .group("TOY_MAIN");
    }
    static const gen::model::Parameter& parameter(const gen::model::Model& model, const std::string& symbol) {
        for (const auto& function : model.functions) {
            if (function.symbol == symbol) return function.parameters.front();
        }
        throw std::out_of_range(symbol);
    }
    static std::string annotation(const gen::model::Model& model, const std::string& symbol) {
        const auto& found = parameter(model, symbol).annotation;
        return found ? gen::model::to_text(*found) : "";
    }

    const std::string good_ = specs_.read("toy/overrides.json");
};

TEST_F(ParameterRulesTest, DecideByDeclarationBeforeName) {
    override_with(R"("parameters": {"p0": "in opaque", "int* p0": "inout value"})");
    const auto model = build(two_functions());
    EXPECT_EQ(annotation(model, "toyGet"), "inout value");
    EXPECT_EQ(annotation(model, "toySet"), "in opaque");
    EXPECT_EQ(parameter(model, "toyGet").annotation_key, "parameters/int* p0");
}

TEST_F(ParameterRulesTest, LeaveTheLinesOfFunctionsAlone) {
    override_with(R"("parameters": {"p0": "in opaque"}, "functions": {"toyGet": {"p0": "out value"}})");
    EXPECT_EQ(annotation(build(two_functions()), "toyGet"), "out value");
}

TEST_F(ParameterRulesTest, AreRejectedIfTheyDecideNothing) {
    override_with(R"("parameters": {"ghost": "out value"})");
    expect_contains(error(two_functions()), "parameters/ghost: no function has an undecided pointer");
}

TEST_F(ParameterRulesTest, AreRejectedIfAFunctionContradictsThem) {
    override_with(R"("parameters": {"p0": "out value"})");
    expect_contains(error(two_functions()),
                    "parameters/p0: \"out value\" contradicts the header, because p0 points to constant data (in toySet)");
    override_with(R"json("parameters": {"p0": "in array(count)"})json");
    expect_contains(error(two_functions()), "has the length count");
}

TEST_F(ParameterRulesTest, NameWrongTagsIfATagContradictsThem) {
    gen::spec::Facts facts = two_functions();
    for (auto& function : facts.functions) {
        if (function.name == "toyGet") function.parameters.front().direction = "in";
    }
    override_with(R"("parameters": {"int* p0": "out value"})");
    expect_contains(error(facts), "add \"toyGet\": {\"p0\": \"in\"} to wrong_tags");
}

TEST_F(ParameterRulesTest, PutFunctionsWithoutAGroupIntoTheDefaultGroup) {
    const auto facts = release("13.4").function("toyAlone");
    specs_.replace("toy/library.json", "\"groups\": {", "\"default_group\": \"TOY_REST\", \"groups\": {\"TOY_REST\": \"rest\", ");
    const auto model = build(facts);
    EXPECT_EQ(gen::model::questions_text(model), "");
    for (const auto& function : model.functions) EXPECT_EQ(function.file, function.symbol == "toyAlone" ? "rest" : "functions");
}

TEST_F(ParameterRulesTest, NameTheDefaultGroupIfNoFunctionHasAGroup) {
    gen::spec::Facts facts = release("13.4");
    for (auto& function : facts.functions) function.group.clear();
    specs_.replace("toy/library.json", "\"TOY_MAIN\": \"functions\"", "");
    expect_contains(error(facts), "\"default_group\"");
}

TEST_F(ParameterRulesTest, LeaveOutFunctionsThatAreNotExported) {
    gen::spec::Facts facts = two_functions();
    override_with(R"("not_exported": ["toyGet", "toySet"])");
    const auto model = build(facts);
    EXPECT_EQ(model.functions.size(), 1U);
    EXPECT_EQ(gen::model::questions_text(model), "");
    override_with(R"("not_exported": ["toyGhost"])");
    expect_contains(error(facts), "not_exported: the headers have no function or variable toyGhost");
    override_with(R"("not_exported": ["toy*et"])");
    EXPECT_EQ(build(facts).functions.size(), 1U);
    override_with(R"("not_exported": ["toyGhost*"])");
    expect_contains(error(facts), "not_exported: the headers have no function or variable toyGhost*");
}

TEST_F(ParameterRulesTest, LeaveOutVariablesThatAreNotExported) {
    const auto facts = release("13.4").variable("TOY_MODE", "int").variable("TOY_GHOST", "int");
    override_with(R"("not_exported": ["TOY_GHOST"])");
    const auto model = build(facts);
    ASSERT_EQ(model.facts.variables.size(), 1U);
    EXPECT_EQ(model.facts.variables.front().name, "TOY_MODE");
    EXPECT_TRUE(model.availability.contains("TOY_MODE"));
    EXPECT_FALSE(model.availability.contains("TOY_GHOST"));
}

TEST_F(ParameterRulesTest, DelayFunctionsThatAreExportedLater) {
    gen::spec::Facts facts = two_functions();
    facts.releases = {"13.3", "13.4"};
    for (auto& function : facts.functions) function.since = "13.3";
    override_with(R"("exported_since": {"toyGet": "13.4"}, "parameters": {"p0": "in opaque"})");
    const auto model = build(facts);
    for (const auto& function : model.functions) EXPECT_EQ(function.since, function.symbol == "toyGet" ? "13.4" : "13.3");
    EXPECT_EQ(model.availability.at("toyGet").since, "13.4");
    override_with(R"("exported_since": {"toyGhost": "13.4"})");
    expect_contains(error(facts), "exported_since/toyGhost: the headers have no function of this name");
    override_with(R"("exported_since": {"toyGet": "13.5"})");
    expect_contains(error(facts), "exported_since/toyGet: the spec has no release 13.5");
    override_with(R"("exported_since": {"toyGet": "13.3"})");
    expect_contains(error(facts), "exported_since/toyGet: 13.3 is not later than 13.3");
}

TEST_F(ParameterRulesTest, RejectALibraryWithoutAnyStatus) {
    gen::spec::Facts facts = release("13.4");
    for (auto& function : facts.functions) function.returns = "int";
    expect_contains(error(facts), "status/type is toyStatus, but no function returns it");
}

TEST_F(ParameterRulesTest, AcceptOnlyNumbersAndConstantsAsInitialValues) {
    const auto facts = release("13.4").record("toySize_st", 4, {field("version", "int", 0)}).constant("TOY_SIZE_V2", 42);
    override_with(R"("initial_values": {"toySize_st": {"version": "TOY_SIZE_V2"}})");
    build(facts);
    override_with(R"("initial_values": {"toySize_st": {"version": "TOY_SIZE_V3"}})");
    expect_contains(error(facts), "initial_values/toySize_st/version: \"TOY_SIZE_V3\" is neither a number nor a constant");
}

}  // namespace
}  // namespace cubind::testing
