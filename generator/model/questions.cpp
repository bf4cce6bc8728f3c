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
std::vector<std::vector<const Question*>> lines_of(const std::vector<Question>& questions, const Place& place) {
    std::vector<std::vector<const Question*>> lines;
    for (const auto& question : questions) {
        const Place here = place_of(question.kind);
        if (here.file != std::string_view(place.file) || here.key != std::string_view(place.key)) continue;
        const bool same_line = !lines.empty() && lines.back().front()->subject == question.subject;
        if (!same_line) lines.emplace_back();
        lines.back().push_back(&question);
    }
    return lines;
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
        text += print_declaration(parameter.type, parameter.vendor_name, as_in_header);
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

}  // namespace

std::string questions_text(const Model& model, const Wording& wording) {
    std::string text;
    for (const auto kind :
         {Question::Kind::annotation, Question::Kind::membership, Question::Kind::group, Question::Kind::description}) {
        const Place place = place_of(kind);
        const auto lines = lines_of(model.questions, place);
        if (lines.empty()) continue;
        text += model.place + "/" + place.file + ", under \"" + place.key + "\":\n";
        for (const auto& questions : lines) {
            text += "  " + line_text(questions) + "\n";
            text += "      " + question_text(model, *questions.front()) + "\n";
            if (!wording) continue;
            for (const auto& line : wording(questions.front()->subject)) text += "      | " + line + "\n";
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
