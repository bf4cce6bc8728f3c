// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/type.hpp"

#include "error.hpp"

#include <cctype>

namespace cubind::gen::model {
namespace {

// No type of a header comes near; what goes through a type does so by recursion.
constexpr std::size_t most_levels = 100;
constexpr std::int64_t most_elements = std::int64_t{1} << 32;

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
        if (take('(')) type = parse_function_pointer(std::move(type));
        return parse_extents(std::move(type));
    }

    /// One type more stands within others.
    void enter() {
        if (++levels_ > most_levels) fail();
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
        while (take('*')) {
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

    Type parse_function_pointer(Type result) {
        enter();
        if (!take('*')) fail();
        while (!next_word().empty()) continue;
        if (!take(')') || !take('(')) fail();
        Type function;
        function.kind = Type::Kind::function;
        function.inner = std::make_shared<const Type>(std::move(result));
        if (!take(')')) {
            do {
                function.arguments.push_back(parse());
            } while (take(','));
            if (!take(')')) fail();
        }
        if (function.arguments.size() == 1 && function.arguments.front().is_void()) function.arguments.clear();
        Type pointer;
        pointer.kind = Type::Kind::pointer;
        pointer.inner = std::make_shared<const Type>(std::move(function));
        return pointer;
    }

    /// Innermost extent last, so that int[4][2] is four arrays of two.
    Type parse_extents(Type element) {
        if (!take('[')) return element;
        enter();
        std::int64_t extent = 0;
        skip_blanks();
        while (!at_end() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
            extent = extent * 10 + (text_[at_++] - '0');
            if (extent > most_elements) fail();
        }
        if (!take(']')) fail();
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

    bool take(char wanted) {
        skip_blanks();
        if (at_end() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }

    void skip_blanks() {
        while (!at_end() && text_[at_] == ' ') ++at_;
    }

    bool at_end() const { return at_ >= text_.size(); }

    [[noreturn]] void fail() const {
        throw InputError(place_ + ": the type \"" + text_ + "\" cannot be read (character " + std::to_string(at_ + 1) +
                         "); write it as a C type of names, *, const, [N] and (*)(...)");
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

/// Text before and after the declared name.
struct Halves {
    std::string before;
    std::string after;
};

Halves print(const Type& type, const Qualify& qualify) {
    switch (type.kind) {
        case Type::Kind::named: return {(type.is_const ? "const " : "") + qualify(type.name), ""};
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
        case Type::Kind::pointer: break;
    }
    Halves pointee = print(*type.inner, qualify);
    const std::string star = type.is_const ? "* const" : "*";
    if (type.inner->kind == Type::Kind::pointer || type.inner->kind == Type::Kind::named) {
        return {pointee.before + star, pointee.after};
    }
    return {pointee.before + " (" + star, ")" + pointee.after};
}

}  // namespace

Type parse_type(const std::string& text, const std::string& place) { return Parser(text, place).parse_whole(); }

void for_each_name(const Type& type, const std::function<void(const std::string&, bool)>& visit) {
    visit_names(type, true, visit);
}

std::string print_type(const Type& type, const Qualify& qualify) {
    const Halves halves = print(type, qualify);
    return halves.before + halves.after;
}

std::string print_declaration(const Type& type, const std::string& name, const Qualify& qualify) {
    const Halves halves = print(type, qualify);
    const bool joined = type.is_function_pointer() && !type.is_const;
    return halves.before + (name.empty() || joined ? "" : " ") + name + halves.after;
}

}  // namespace cubind::gen::model
