// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/function_collector.hpp"

#include "extract/type_text.hpp"

namespace cubind::gen::extract {
namespace {

/// The name of an enumerator or the number that a default argument consists of; empty for anything else.
std::string default_text(const clang::Cursor& expression) {
    if (expression.kind() == CXCursor_DeclRefExpr) return expression.spelling();
    for (const auto& child : expression.children()) {
        if (std::string text = default_text(child); !text.empty()) return text;
    }
    if (clang_isExpression(expression.kind()) == 0) return {};
    const auto value = expression.integer_value();
    return value ? std::to_string(*value) : std::string();
}

std::string default_argument(const clang::Cursor& parameter) {
    for (const auto& child : parameter.children()) {
        if (clang_isExpression(child.kind()) == 0) continue;
        if (child.kind() == CXCursor_GNUNullExpr) return "0";
        if (std::string text = default_text(child); !text.empty()) return text;
    }
    return {};
}

}  // namespace

FunctionCollector::FunctionCollector(spec::Facts& facts, SourceFiles& files, TypeCollector& types,
                                     const HeaderSet& headers, Comments* comments)
    : facts_(facts), files_(files), types_(types), release_(headers.release()), comments_(comments) {
    for (const auto& name : headers.names()) groups_.emplace(name, GroupMap(*headers.find(name)));
}

void FunctionCollector::start_view(const std::string& view) { view_ = view; }

void FunctionCollector::take(const clang::Cursor& declaration) {
    const std::string symbol = declaration.spelling();
    if (symbol.starts_with('_')) return;  // reserved: the vendor's own plumbing
    take_name(declaration.written_name(), symbol);
    if (index_.contains(symbol)) return;
    index_[symbol] = facts_.functions.size();

    const SourceFile& file = files_.of(declaration);
    const unsigned line = declaration.start_line();
    const std::string_view comment = find_comment(*file.text, line);
    const auto directions = parameter_directions(comment);

    if (comments_ != nullptr) (*comments_)[symbol] = comment_lines(comment);

    spec::Function function;
    function.name = symbol;
    function.header = file.name;
    function.group = stated_group(comment);
    if (function.group.empty()) function.group = groups_.at(file.name).group_at(line);
    function.since = release_;
    function.view = view_;
    function.returns = type_text(declaration.type().result());
    types_.take_mentioned(declaration.type().result());
    for (const auto& parameter : declaration.parameters()) {
        types_.take_mentioned(parameter.type());
        const std::string name = parameter.spelling();
        const auto direction = directions.find(name);
        function.parameters.push_back({name, type_text(parameter.type()),
                                       direction != directions.end() ? direction->second : "",
                                       default_argument(parameter)});
    }
    facts_.functions.push_back(std::move(function));
}

void FunctionCollector::take_name(const std::string& written, const std::string& symbol) {
    if (view_.empty()) {
        names_[written] = {release_, symbol, ""};
    } else if (written != symbol) {
        const auto name = names_.find(written);
        if (name != names_.end() && name->second.symbol != symbol) name->second.per_thread = symbol;
    }
}

void FunctionCollector::finish() {
    for (auto& [name, meaning] : names_) {
        // A function under its own name needs no entry.
        if (meaning.symbol == name && meaning.per_thread.empty()) continue;
        facts_.public_names.push_back({name, {meaning}});
    }
}

}  // namespace cubind::gen::extract
