// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/function_collector.hpp"

#include "extract/type_text.hpp"

namespace cubind::gen::extract {
namespace {

/// Returns the expression without the conversions and parentheses around it.
clang::Cursor unwrap(clang::Cursor expression) {
    while (expression.kind() == CXCursor_UnexposedExpr || expression.kind() == CXCursor_ParenExpr ||
           expression.kind() == CXCursor_CStyleCastExpr) {
        std::vector<clang::Cursor> operands;
        for (const auto& child : expression.children()) {
            if (clang_isExpression(child.kind()) != 0) operands.push_back(child);
        }
        if (operands.size() != 1) break;
        expression = operands.front();
    }
    return expression;
}

/// Returns the default argument of a parameter as the name of an enumerator or as a number, with 0 for null; empty if there is
/// none or if it is something else.
std::string default_argument(const clang::Cursor& parameter) {
    if (parameter.type().canonical().is_array()) return {};  // the expression is the number of elements
    for (const auto& child : parameter.children()) {
        if (clang_isExpression(child.kind()) == 0) continue;
        const clang::Cursor expression = unwrap(child);
        if (expression.kind() == CXCursor_GNUNullExpr || expression.kind() == CXCursor_CXXNullPtrLiteralExpr) return "0";
        const bool is_constant =
            clang::names_unnamed(expression.type().spelling());  // an enumerator that the specs have as a constant
        if (expression.kind() == CXCursor_DeclRefExpr && !is_constant) return expression.spelling();
        if (const auto value = child.integer_value()) return std::to_string(*value);
        if (const auto value = expression.integer_value()) return std::to_string(*value);
    }
    return {};
}

}  // namespace

FunctionCollector::FunctionCollector(spec::Facts& facts, SourceFiles& files, TypeCollector& types, const HeaderSet& headers,
                                     const std::map<std::string, std::string>& sections, Comments* comments)
    : facts_(facts), files_(files), types_(types), release_(headers.release()), comments_(comments) {
    for (const auto& name : headers.names()) {
        const auto whole = sections.find(name);
        groups_.emplace(name, GroupMap(*headers.find(name), sections, whole != sections.end() ? whole->second : std::string()));
    }
}

void FunctionCollector::start_view(const std::string& view) {
    view_ = view;
}

void FunctionCollector::collect(const clang::Cursor& declaration) {
    const std::string symbol = declaration.spelling();
    if (symbol.starts_with('_')) {  // reserved names are internal to the vendor's headers
        reserved_.insert(symbol.substr(symbol.find_first_not_of('_')));
        return;
    }
    if (declaration.is_inline_function() && !is_shim(symbol)) return;
    add_name(declaration.written_name(), symbol);
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
    function.is_variadic = declaration.is_variadic();
    function.returns = type_text(declaration.type().result());
    types_.collect_types_in(declaration.type().result());
    for (const auto& parameter : declaration.parameters()) {
        types_.collect_types_in(parameter.type());
        spec::Parameter described = describe_parameter(parameter);
        const auto direction = directions.find(described.name);
        if (direction != directions.end()) described.direction = direction->second;
        described.default_value = default_argument(parameter);
        function.parameters.push_back(std::move(described));
    }
    facts_.functions.push_back(std::move(function));
}

bool FunctionCollector::is_shim(const std::string& symbol) const {
    const auto versioned = reserved_.lower_bound(symbol + "_");
    return versioned != reserved_.end() && versioned->starts_with(symbol + "_");
}

void FunctionCollector::add_name(const std::string& written, const std::string& symbol) {
    if (view_.empty()) {
        names_[written] = {release_, "", symbol, ""};
    } else if (written != symbol) {
        const auto name = names_.find(written);
        if (name != names_.end() && name->second.symbol != symbol) name->second.per_thread = symbol;
    }
}

void FunctionCollector::add_wrapped_names(const MacroCandidates& macros) {
    std::map<std::string, std::string> suffixes;  // wrapper macro to the suffix that it adds to a symbol
    for (const auto& [name, meaning] : names_) {
        const auto macro = macros.find(name);
        if (macro == macros.end() || macro->second.wrapper.empty() || !meaning.per_thread.starts_with(meaning.symbol)) continue;
        suffixes[macro->second.wrapper] = meaning.per_thread.substr(meaning.symbol.size());
    }
    for (const auto& [name, macro] : macros) {
        const auto suffix = suffixes.find(macro.wrapper);
        if (suffix == suffixes.end() || names_.contains(name) || !index_.contains(macro.body)) continue;
        const std::string per_thread = macro.body + suffix->second;
        if (index_.contains(per_thread)) names_[name] = {release_, "", macro.body, per_thread};
    }
}

void FunctionCollector::finish(const std::map<std::string, std::string>& renames, const MacroCandidates& macros) {
    add_wrapped_names(macros);
    for (const auto& [name, symbol] : renames) {
        // A chain of macros ends at a symbol that has been collected.
        if (index_.contains(symbol)) names_.emplace(name, spec::Meaning{release_, "", symbol, ""});
    }
    for (auto& [name, meaning] : names_) {
        // A name that refers to the symbol of the same name has no entry.
        if (meaning.symbol == name && meaning.per_thread.empty()) continue;
        facts_.public_names.push_back({name, {meaning}});
    }
}

}  // namespace cubind::gen::extract
