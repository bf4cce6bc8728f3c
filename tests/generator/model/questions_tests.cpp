// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <regex>

#include "model/model_test.hpp"
#include "model/questions.hpp"

namespace cubind::testing {
namespace {

using Types = std::vector<std::string>;

class QuestionsTest : public ModelTest {
protected:
    static gen::spec::Facts with_function(const Types& types, const std::string& direction = "") {
        gen::spec::Facts facts = release("13.4")
                                     .handle("toyBox", "toyBox_st")
                                     .record("toySize_st", 4, {field("a", "int", 0)})
                                     .function("toyDo", types)
                                     .group("TOY_MAIN");
        facts.functions.back().parameters.front().direction = direction;
        return facts;
    }
    /// Returns all questions about a library with this function. `direction` is the tag of its first parameter.
    std::string questions_about(const Types& types, const std::string& direction = "") const {
        return gen::model::questions_text(build(with_function(types, direction)));
    }
    /// Returns the annotations that are proposed for the first parameter.
    std::vector<std::string> proposals(const Types& types, const std::string& direction = "") const {
        std::smatch found;
        const std::string text = questions_about(types, direction);
        if (!std::regex_search(text, found, std::regex("\n  \"toyDo\": \\{\"p0\": \"([^\"]*)\""))) {
            ADD_FAILURE() << "no line for toyDo in:\n" << text;
            return {};
        }
        std::vector<std::string> choices;
        std::string rest = found[1];
        for (std::size_t bar = rest.find(" | "); bar != std::string::npos; bar = rest.find(" | ")) {
            choices.push_back(rest.substr(0, bar));
            rest.erase(0, bar + 3);
        }
        choices.push_back(rest);
        return choices;
    }
    /// Builds the model with this annotation of the first parameter. Returns the error message; empty on success.
    std::string error_with_annotation(const std::string& annotation, const Types& types, const std::string& direction) const {
        specs_.write("toy/overrides.json",
                     "{\"functions\": {\"toyDo\": {\"p0\": \"" + annotation + "\"}}, " + good_.substr(good_.find('{') + 1));
        std::string message;
        try {
            build(with_function(types, direction));
        } catch (const std::exception& error) {
            message = error.what();
        }
        specs_.write("toy/overrides.json", good_);
        return message;
    }
    /// Expects that each proposed annotation is accepted and that a text with several of them is rejected.
    void expect_accepted(const Types& types, const std::string& direction) const {
        SCOPED_TRACE(types[0] + " tagged \"" + direction + "\"");
        const auto choices = proposals(types, direction);
        for (const auto& choice : choices) EXPECT_EQ(error_with_annotation(choice, types, direction), "");
        if (choices.size() > 1)
            expect_contains(error_with_annotation(choices[0] + " | " + choices[1], types, direction), "one side of the |");
    }

    const std::string good_ = specs_.read("toy/overrides.json");
};

TEST_F(QuestionsTest, AreEmptyIfEverythingIsDecided) {
    EXPECT_EQ(questions_about({"int", "toyBox", "const char *"}), "");
    gen::model::require_decided(build(release("13.4")));
}

TEST_F(QuestionsTest, NameFileKeyAndLine) {
    expect_contains(questions_about({"toyBox *"}),
                    file("overrides.json") + ", under \"functions\":\n  \"toyDo\": {\"p0\": \"out value\"},\n      ");
    expect_contains(questions_about({"toyBox *"}), "toyBox");
}

TEST_F(QuestionsTest, ShareALineForOneFunction) {
    EXPECT_TRUE(std::regex_search(questions_about({"toyBox *", "int", "void *"}),
                                  std::regex("\n  \"toyDo\": \\{\"p0\": \"[^\"]+\", \"p2\": \"[^\"]+\"\\},\n")));
}

TEST_F(QuestionsTest, ProposeOnlyTheTaggedDirection) {
    for (const std::string tag : {"in", "out", "inout"}) {
        for (const auto& choice : proposals({"void *", "unsigned int"}, tag)) EXPECT_EQ(choice.substr(0, choice.find(' ')), tag);
    }
}

TEST_F(QuestionsTest, ProposeOnlyAnnotationsThatTheTypeAllows) {
    for (const auto& choice : proposals({"const void *", "size_t"})) EXPECT_TRUE(choice.starts_with("in ")) << choice;
    for (const auto& choice : proposals({"void *", "size_t"})) EXPECT_EQ(choice.find("value"), std::string::npos) << choice;
    for (const auto& choice : proposals({"toyBox *"}))
        EXPECT_EQ(choice.find("array"), std::string::npos) << "there is no count: " << choice;
}

TEST_F(QuestionsTest, ProposeThatRecordsAreInputsUnlessTheFunctionIsNamedForResults) {
    const auto proposed = [&](const char* function, const char* parameter) {
        gen::spec::Facts facts = release("13.4")
                                     .record("toySize_st", 4, {field("a", "int", 0)})
                                     .function(function, {"size_t", "toySize_st *"})
                                     .group("TOY_MAIN");
        facts.functions.back().parameters[1].name = parameter;
        return gen::model::questions_text(build(facts));
    };
    expect_contains(proposed("toySend", "size"), "{\"size\": \"in value | in array(p0) | inout value | ");
    expect_contains(proposed("toySend", "sizeList"), "{\"sizeList\": \"in array(p0) | in value | inout array(p0) | ");
    expect_contains(proposed("toyGetSize", "size"), "{\"size\": \"out value | out array(p0) | inout value | ");
    expect_contains(proposed("toyGetSize", "size"), " | in value | in array(p0)\"");
}

TEST_F(QuestionsTest, ProposeOnlyAnnotationsThatAreAccepted) {
    for (const char* type : {"void *", "char *", "int *", "toyBox *", "toySize_st *", "void **", "const char **", "char **",
                             "int **", "toyStatus *"}) {
        for (const char* direction : {"", "in", "out", "inout"}) {
            expect_accepted({type, "unsigned int"}, direction);
            expect_accepted({type, "toyBox"}, direction);
        }
    }
    for (const char* type :
         {"const void *", "const int *", "const toyBox *", "const toySize_st *", "const void *const *", "const toyStatus *"}) {
        for (const char* direction : {"", "in"}) expect_accepted({type, "unsigned int"}, direction);
    }
}

TEST_F(QuestionsTest, ProposeNoOutputThroughAPointerToConst) {
    // The headers tag a few constant inputs as outputs.
    for (const char* type : {"const void *", "const int *", "const toySize_st *", "const void *const *"}) {
        for (const char* direction : {"out", "inout"}) expect_accepted({type, "unsigned int"}, direction);
    }
}

TEST_F(QuestionsTest, ProposeTheAnnotationsOfSiblingsFirst) {
    const auto facts =
        release("13.4").function("toyGet", {"int *"}).group("TOY_MAIN").function("toySet", {"int *"}).group("TOY_MAIN");
    specs_.write("toy/overrides.json",
                 "{\"functions\": {\"toyGet\": {\"p0\": \"inout value\"}}, " + good_.substr(good_.find('{') + 1));
    expect_contains(gen::model::questions_text(build(facts)), "\"toySet\": {\"p0\": \"inout value | out value\"}");
    gen::spec::Facts tagged = facts;
    tagged.functions.back().parameters.front().direction = "out";
    expect_contains(gen::model::questions_text(build(tagged)), "\"toySet\": {\"p0\": \"out value\"}");
}

TEST_F(QuestionsTest, AskOnceForVariantsOfAFunction) {
    const auto facts = release("13.4").function("toyGet", {"int *"}).group("TOY_MAIN").function("toyGet_ptsz", {"int *"});
    const std::string text = gen::model::questions_text(build(facts));
    expect_contains(text, "\"toyGet\": {");
    EXPECT_EQ(text.find("toyGet_ptsz"), std::string::npos) << text;
    const auto other = release("13.4").function("toyGet", {"int *"}).group("TOY_MAIN").function("toyGet_all", {"void *"});
    expect_contains(gen::model::questions_text(build(other)), "\"toyGet_all\": {");
}

TEST_F(QuestionsTest, ShareARuleForThreeFunctions) {
    auto facts = release("13.4").function("toyA", {"int *"}).group("TOY_MAIN").function("toyB", {"int *"}).group("TOY_MAIN");
    expect_contains(gen::model::questions_text(build(facts)), "\n  \"toyB\": {\"p0\": ");
    facts.function("toyC", {"int *"}).group("TOY_MAIN").function("toyD", {"void *"}).group("TOY_MAIN");
    const std::string text = gen::model::questions_text(build(facts));
    expect_contains(text, file("overrides.json") + ", under \"parameters\"");
    expect_contains(text,
                    "\n  \"int* p0\": \"out value | inout value\",\n      3 functions, for example toyStatus toyA(int* p0)\n");
    expect_contains(text, "\n  \"toyD\": {");
    EXPECT_EQ(text.find("\"toyA\": {"), std::string::npos) << text;
}

TEST_F(QuestionsTest, AskWhetherTextBeforeASizeIsABuffer) {
    expect_contains(questions_about({"const char *", "size_t"}), "\"p0\": \"in string | in buffer(p1)\"");
    EXPECT_EQ(questions_about({"const char *", "int"}), "");
    EXPECT_EQ(questions_about({"size_t", "const char *"}), "");
}

TEST_F(QuestionsTest, ProposeNoLengthFromFlags) {
    gen::spec::Facts facts = with_function({"const toyBox *", "unsigned int"});
    facts.functions.back().parameters[1].name = "flags";
    EXPECT_EQ(gen::model::questions_text(build(facts)).find("(flags)"), std::string::npos);
    facts.functions.back().parameters[1].name = "count";
    expect_contains(gen::model::questions_text(build(facts)), "(count)");
}

TEST_F(QuestionsTest, AskForTheGroupOfAFunctionWithoutOne) {
    const std::string text = gen::model::questions_text(build(release("13.4").function("toyInitialize")));
    EXPECT_TRUE(text.starts_with(file("overrides.json") + ", under \"groups\":\n  \"toyInitialize\": \"TOY_MAIN\",\n      "))
        << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
}

TEST_F(QuestionsTest, AskOnceForTheFileOfANewGroup) {
    const auto facts = release("13.4").function("toyA").group("TOY_GREEN_PLANTS").function("toyB").group("TOY_GREEN_PLANTS");
    const std::string text = gen::model::questions_text(build(facts));
    EXPECT_TRUE(text.starts_with(file("library.json") + ", under \"groups\":\n  \"TOY_GREEN_PLANTS\": \"green_plants\",\n      "))
        << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
}

TEST_F(QuestionsTest, AskForTheDescriptionOfANewStatus) {
    gen::spec::Facts facts = release("13.4");
    facts.enums[0].enumerators.push_back(facts.enums[0].enumerators[0]);
    facts.enums[0].enumerators.back().name = "TOY_TIRED";
    expect_contains(gen::model::questions_text(build(facts)),
                    file("overrides.json") + ", under \"descriptions\":\n  \"TOY_TIRED\": \"\",\n");
}

TEST_F(QuestionsTest, AreReportedByRequireDecided) {
    const auto model = build(with_function({"int *", "int *"}));
    const std::string message = input_error_of([&] { gen::model::require_decided(model); });
    expect_contains(message, specs_.below("toy").string() + ": 2 question(s) are open.");
    expect_contains(message, "\n  \"toyDo\": {\"p0\": ");
}

}  // namespace
}  // namespace cubind::testing
