// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/questions.hpp"

#include <algorithm>

#include "error.hpp"
#include "model/model.hpp"
#include "spec/json.hpp"

namespace cubind::gen::model {
namespace {

/// The file and the key that hold the answer to a question.
struct Place {
    const char* file;
    const char* key;
};

Place place_of(Question::Kind kind) {
    switch (kind) {
        case Question::Kind::annotation:
            return {"overrides.json", "functions"};
        case Question::Kind::membership:
            return {"overrides.json", "groups"};
        case Question::Kind::group:
            return {"library.json", "groups"};
        case Question::Kind::description:
            break;
    }
    return {"overrides.json", "descriptions"};
}

std::string quoted(const std::string& text) {
    return spec::Json(text).dump();
}

/// Groups the questions by the line that answers them: all parameters of one function, or one question of another kind.
std::vector<std::vector<const Question*>> lines_of(const std::vector<const Question*>& questions) {
    std::vector<std::vector<const Question*>> lines;
    for (const Question* question : questions) {
        const bool same_line = !lines.empty() && lines.back().front()->subject == question->subject;
        if (!same_line) lines.emplace_back();
        lines.back().push_back(question);
    }
    return lines;
}

/// The questions about parameters that have one declaration and one proposal. A rule can answer them together.
using Rules = std::map<std::pair<std::string, std::string>, std::vector<const Question*>>;

/// Removes the questions that occur in at least three functions, and returns them by declaration and proposal.
Rules take_rules(std::vector<const Question*>& questions) {
    const std::size_t min_functions = 3;
    Rules rules;
    for (const Question* question : questions) rules[{question->declaration, question->proposal}].push_back(question);
    std::erase_if(rules, [&](const auto& rule) { return rule.second.size() < min_functions; });
    std::erase_if(questions, [&](const Question* question) {
        return rules.contains({question->declaration, question->proposal});
    });
    return rules;
}

std::string line_text(const std::vector<const Question*>& questions) {
    const Question& first = *questions.front();
    std::string text = quoted(first.subject) + ": ";
    if (first.kind != Question::Kind::annotation) return text + quoted(first.proposal) + ",";
    text += "{";
    for (const Question* question : questions) {
        text += (question == questions.front() ? "" : ", ") + quoted(question->parameter) + ": " + quoted(question->proposal);
    }
    return text + "},";
}

/// Returns the header's declaration of a function, on one line.
std::string declaration_of(const Model& model, const std::string& symbol) {
    const auto as_in_header = [](const std::string& name) { return name; };
    const auto function =
        std::find_if(model.functions.begin(), model.functions.end(), [&](const auto& each) { return each.symbol == symbol; });
    std::string text = print_type(function->returns, as_in_header) + " " + symbol + "(";
    for (const auto& parameter : function->parameters) {
        if (&parameter != &function->parameters.front()) text += ", ";
        text += model::declaration_of(parameter);
    }
    return text + ")";
}

std::string question_text(const Model& model, const Question& question) {
    switch (question.kind) {
        case Question::Kind::annotation:
            return declaration_of(model, question.subject);
        case Question::Kind::membership:
            return "this function is in no documentation group; check the proposed one";
        case Question::Kind::group:
            return "library.json does not map this group to a file; check the proposed name";
        case Question::Kind::description:
            break;
    }
    return "this status has no description; describe its meaning in a sentence of your own";
}

std::string documentation_text(const Wording& wording, const std::string& subject) {
    std::string text;
    if (!wording) return text;
    for (const auto& line : wording(subject)) text += "      | " + line + "\n";
    return text;
}

std::string rules_text(const Model& model, const Rules& rules, const Wording& wording) {
    if (rules.empty()) return {};
    std::string text = model.place + "/overrides.json, under \"parameters\" if all functions agree, else under \"functions\":\n";
    for (const auto& [rule, questions] : rules) {
        const std::string& example = questions.front()->subject;
        text += "  " + quoted(rule.first) + ": " + quoted(rule.second) + ",\n";
        text += "      " + std::to_string(questions.size()) + " functions, for example " + declaration_of(model, example) + "\n";
        text += documentation_text(wording, example);
    }
    return text;
}

}  // namespace

std::string questions_text(const Model& model, const Wording& wording) {
    std::string text;
    for (const auto kind :
         {Question::Kind::annotation, Question::Kind::membership, Question::Kind::group, Question::Kind::description}) {
        std::vector<const Question*> questions_of_kind;
        for (const auto& question : model.questions) {
            if (question.kind == kind) questions_of_kind.push_back(&question);
        }
        if (kind == Question::Kind::annotation) text += rules_text(model, take_rules(questions_of_kind), wording);
        const auto lines = lines_of(questions_of_kind);
        if (lines.empty()) continue;
        const Place place = place_of(kind);
        text += model.place + "/" + place.file + ", under \"" + place.key + "\":\n";
        for (const auto& questions : lines) {
            text += "  " + line_text(questions) + "\n";
            text += "      " + question_text(model, *questions.front()) + "\n";
            text += documentation_text(wording, questions.front()->subject);
        }
    }
    return text;
}

void require_decided(const Model& model) {
    if (model.questions.empty()) return;
    throw InputError(
        model.place + ": " + std::to_string(model.questions.size()) +
        " question(s) are open. Each line below is proposed from names and types alone. Read the vendor's documentation, correct "
        "the line, and add it to its file.\n" +
        questions_text(model));
}

}  // namespace cubind::gen::model
