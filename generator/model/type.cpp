// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/type.hpp"

#include <cctype>

#include "error.hpp"

namespace cubind::gen::model {
namespace {

// Limits the recursion of functions that traverse a type. No type of a header has nearly as many levels.
constexpr std::size_t max_levels = 100;
constexpr std::int64_t max_elements = std::int64_t{1} << 32;

class Parser {
public:
    Parser(const std::string& text, const std::string& place) : text_(text), place_(place) {}

    Type parse_whole() {
        Type type = parse();
        if (!at_end()) fail();
        return type;
    }

private:
    Type parse() {
        Type type = parse_base();
        type = parse_pointers(std::move(type));
        if (skip('(')) return parse_pointer_in_parentheses(std::move(type));
        return parse_extents(std::move(type));
    }

    /// Counts one more level of nesting.
    void enter() {
        if (++levels_ > max_levels) fail();
    }

    Type parse_base() {
        Type type;
        for (std::string word = next_word(); !word.empty(); word = next_word()) {
            if (word == "const") {
                type.is_const = true;
            } else if (word != "volatile" && word != "restrict") {
                type.name += (type.name.empty() ? "" : " ") + word;
            }
        }
        if (type.name.empty()) fail();
        return type;
    }

    Type parse_pointers(Type type) {
        while (skip('*')) {
            enter();
            Type pointer;
            pointer.kind = Type::Kind::pointer;
            pointer.inner = std::make_shared<const Type>(std::move(type));
            for (std::string word = next_word(); !word.empty(); word = next_word()) {
                if (word == "const") pointer.is_const = true;
            }
            type = std::move(pointer);
        }
        return type;
    }

    /// Parses the rest of a pointer to a function or to an array.
    Type parse_pointer_in_parentheses(Type type) {
        enter();
        if (!skip('*')) fail();
        while (!next_word().empty()) continue;
        if (!skip(')')) fail();
        skip_blanks();
        Type pointer;
        pointer.kind = Type::Kind::pointer;
        const bool points_to_array = !at_end() && text_[at_] == '[';
        pointer.inner =
            std::make_shared<const Type>(points_to_array ? parse_extents(std::move(type)) : parse_function(std::move(type)));
        return pointer;
    }

    Type parse_function(Type result) {
        if (!skip('(')) fail();
        Type function;
        function.kind = Type::Kind::function;
        function.inner = std::make_shared<const Type>(std::move(result));
        if (!skip(')')) {
            do {
                function.arguments.push_back(parse());
            } while (skip(','));
            if (!skip(')')) fail();
        }
        if (function.arguments.size() == 1 && function.arguments.front().is_void()) function.arguments.clear();
        return function;
    }

    /// Parses array extents. The innermost extent is last, so int[4][2] is four arrays of two.
    Type parse_extents(Type element) {
        if (!skip('[')) return element;
        enter();
        std::int64_t extent = 0;
        skip_blanks();
        while (!at_end() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
            extent = extent * 10 + (text_[at_++] - '0');
            if (extent > max_elements) fail();
        }
        if (!skip(']')) fail();
        Type array;
        array.kind = Type::Kind::array;
        array.extent = extent;
        array.inner = std::make_shared<const Type>(parse_extents(std::move(element)));
        return array;
    }

    std::string next_word() {
        skip_blanks();
        const std::size_t begin = at_;
        while (!at_end() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    bool skip(char expected) {
        skip_blanks();
        if (at_end() || text_[at_] != expected) return false;
        ++at_;
        return true;
    }

    void skip_blanks() {
        while (!at_end() && text_[at_] == ' ') ++at_;
    }

    bool at_end() const { return at_ >= text_.size(); }

    [[noreturn]] void fail() const {
        throw InputError(place_ + ": the type \"" + text_ + "\" cannot be parsed at character " + std::to_string(at_ + 1) +
                         "; write it as a C type of names, *, const, [N] and (*)(...)");
    }

    const std::string& text_;
    const std::string& place_;
    std::size_t at_ = 0;
    std::size_t levels_ = 0;
};

void visit_names(const Type& type, bool by_value, const std::function<void(const std::string&, bool)>& visit) {
    if (type.kind == Type::Kind::named) return visit(type.name, by_value);
    visit_names(*type.inner, by_value && type.kind == Type::Kind::array, visit);
    for (const auto& argument : type.arguments) visit_names(argument, false, visit);
}

/// The texts before and after the declared name.
struct Halves {
    std::string before;
    std::string after;
};

Halves print(const Type& type, const Qualify& qualify) {
    switch (type.kind) {
        case Type::Kind::named:
            return {(type.is_const ? "const " : "") + qualify(type.name), ""};
        case Type::Kind::array: {
            Halves element = print(*type.inner, qualify);
            return {element.before, "[" + std::to_string(type.extent) + "]" + element.after};
        }
        case Type::Kind::function: {
            Halves result = print(*type.inner, qualify);
            std::string arguments;
            for (const auto& argument : type.arguments) {
                arguments += (arguments.empty() ? "" : ", ") + print_type(argument, qualify);
            }
            return {result.before, "(" + arguments + ")" + result.after};
        }
        case Type::Kind::pointer:
            break;
    }
    Halves pointee = print(*type.inner, qualify);
    const std::string star = type.is_const ? "* const" : "*";
    if (type.inner->kind == Type::Kind::pointer || type.inner->kind == Type::Kind::named) {
        return {pointee.before + star, pointee.after};
    }
    return {pointee.before + " (" + star, ")" + pointee.after};
}

}  // namespace

Type parse_type(const std::string& text, const std::string& place) {
    return Parser(text, place).parse_whole();
}

void for_each_name(const Type& type, const std::function<void(const std::string&, bool)>& visit) {
    visit_names(type, true, visit);
}

std::string print_type(const Type& type, const Qualify& qualify) {
    const Halves halves = print(type, qualify);
    return halves.before + halves.after;
}

std::string print_declaration(const Type& type, const std::string& name, const Qualify& qualify) {
    const Halves halves = print(type, qualify);
    const bool follows_star = !type.is_const && halves.before.ends_with("(*");
    return halves.before + (name.empty() || follows_star ? "" : " ") + name + halves.after;
}

}  // namespace cubind::gen::model
