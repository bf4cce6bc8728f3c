// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/statement_reader.hpp"

#include <bit>
#include <charconv>
#include <string>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::uint32_t max_registers = 1 << 20;
constexpr int max_nesting = 64;
constexpr std::size_t units_of_statement = 24;  // of memory, for it and the steps that it becomes

std::string_view join(std::string_view first, std::string_view last) {
    return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

bool is_adjacent(std::string_view first, const Token& next) {
    return first.data() + first.size() == next.text.data();
}

// Reads the parts of a name that follow a dot or two colons: %tid.x, .shared::cta.
std::string_view read_suffixes(Cursor& cursor, std::string_view name, bool with_dots) {
    for (;;) {
        const Token& next = cursor.next();
        if (with_dots && next.kind == Token::Kind::word && next.text.starts_with('.') && is_adjacent(name, next)) {
            name = join(name, cursor.take().text);
        } else if (next == ":" && is_adjacent(name, next)) {
            cursor.take();
            cursor.expect(":");
            name = join(name, cursor.take().text);
        } else {
            return name;
        }
    }
}

// Reads 0f and 0d with the bits in hexadecimal, or a number in decimal notation.
bool read_floating(std::string_view text, Operand& operand) {
    if (text.find_first_not_of("0123456789") == std::string_view::npos) return false;  // a whole number beyond 64 bits
    const char* const end = text.data() + text.size();
    if (text.starts_with("0f") || text.starts_with("0F") || text.starts_with("0d") || text.starts_with("0D")) {
        const bool is_single = text[1] == 'f' || text[1] == 'F';
        operand.kind = is_single ? Operand::Kind::single : Operand::Kind::floating;
        const auto [rest, error] = std::from_chars(text.data() + 2, end, operand.bits, 16);
        return error == std::errc() && rest == end && text.size() == (is_single ? 10u : 18u);
    }
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    operand.kind = Operand::Kind::floating;
    operand.bits = std::bit_cast<std::uint64_t>(value);
    return error == std::errc() && rest == end;
}

void negate(Operand& operand) {
    if (operand.kind == Operand::Kind::integer) operand.bits = 0 - operand.bits;
    if (operand.kind == Operand::Kind::single) operand.bits ^= std::uint64_t{1} << 31;
    if (operand.kind == Operand::Kind::floating) operand.bits ^= std::uint64_t{1} << 63;
}

Operand read_number(Cursor& cursor) {
    Operand operand;
    const bool is_negative = cursor.accept("-");
    if (is_negative && cursor.is_at(Token::Kind::word)) {  // operands of vmad can be negated
        operand.name = read_suffixes(cursor, cursor.take().text, true);
        operand.is_negated = true;
        return operand;
    }
    if (!cursor.is_at(Token::Kind::number)) cursor.fail_expecting("a number");
    const std::string_view text = cursor.take().text;
    operand.kind = Operand::Kind::integer;
    if (!parse_integer(text, operand.bits) && !read_floating(text, operand)) {
        cursor.fail(quote_text(text.substr(0, 40)) + " is not a number");
    }
    if (is_negative) negate(operand);
    return operand;
}

// Reads "+ number" and "- number" after a name.
std::uint64_t read_offset(Cursor& cursor) {
    std::uint64_t offset = 0;
    while (cursor.is_at("+") || cursor.is_at("-")) {
        cursor.accept("+");
        const Operand number = read_number(cursor);
        if (number.kind != Operand::Kind::integer) cursor.fail_expecting("a whole number");
        offset += number.bits;
    }
    return offset;
}

Operand read_operand(Cursor& cursor, int depth);

void read_items(Cursor& cursor, const char* end, int depth, std::vector<Operand>& items) {
    if (cursor.accept(end)) return;
    do {
        items.push_back(read_operand(cursor, depth + 1));
    } while (cursor.accept(","));
    cursor.expect(end);
}

Operand read_address(Cursor& cursor, int depth) {
    Operand address;
    address.kind = Operand::Kind::address;
    if (cursor.is_at(Token::Kind::word)) {
        address.name = read_suffixes(cursor, cursor.take().text, true);
        address.bits = read_offset(cursor);
    } else {
        const Operand number = read_number(cursor);
        if (number.kind != Operand::Kind::integer) cursor.fail_expecting("an address");
        address.bits = number.bits;
    }
    if (cursor.accept(",")) {
        read_items(cursor, "]", depth, address.items);
    } else {
        cursor.expect("]");
    }
    return address;
}

Operand read_operand(Cursor& cursor, int depth) {
    if (depth > max_nesting) cursor.fail("operands are nested too deeply");
    Operand operand;
    if (cursor.accept("!")) {
        operand = read_operand(cursor, depth + 1);
        operand.is_negated = !operand.is_negated;
    } else if (cursor.accept("[")) {
        return read_address(cursor, depth);
    } else if (cursor.accept("{")) {
        operand.kind = Operand::Kind::vector;
        read_items(cursor, "}", depth, operand.items);
    } else if (cursor.accept("(")) {
        operand.kind = Operand::Kind::list;
        read_items(cursor, ")", depth, operand.items);
    } else if (cursor.is_at(Token::Kind::word)) {
        operand.name = read_suffixes(cursor, cursor.take().text, true);
        operand.bits = read_offset(cursor);
    } else if (cursor.is_at(Token::Kind::number) || cursor.is_at("-")) {
        operand = read_number(cursor);
    } else {
        cursor.fail_expecting("an operand");
    }
    if (!cursor.accept("|")) return operand;
    Operand pair;
    pair.kind = Operand::Kind::pair;
    pair.items.push_back(std::move(operand));
    pair.items.push_back(read_operand(cursor, depth + 1));
    return pair;
}

LocalVariable read_variable(Cursor& cursor, LocalVariable::Space space) {
    const Declaration declaration = read_declaration(cursor);
    LocalVariable variable;
    variable.space = space;
    variable.name = declaration.name;
    variable.size = declaration.size(cursor);
    variable.alignment = declaration.alignment;
    return variable;
}

// Reads names after ".reg .type": %r<6>, %x.
void read_registers(Cursor& cursor, Statement& statement) {
    statement.kind = Statement::Kind::registers;
    const std::string_view type = cursor.expect_word("the type of registers");
    do {
        RegisterDeclaration declaration{type, cursor.expect_word("the name of a register"), 0};
        if (cursor.accept("<")) {
            declaration.count = static_cast<std::uint32_t>(cursor.expect_number("a number of registers", max_registers));
            cursor.expect(">");
            if (declaration.count == 0) continue;
        }
        statement.registers.push_back(declaration);
    } while (cursor.accept(","));
    cursor.expect(";");
}

// Reads "file line column", and where a function was inlined.
void read_location(Cursor& cursor, Statement& statement) {
    constexpr std::uint64_t limit = ~std::uint32_t{0};
    statement.kind = Statement::Kind::location;
    statement.file = static_cast<std::uint32_t>(cursor.expect_number("the number of a file", limit));
    statement.source_line = static_cast<std::uint32_t>(cursor.expect_number("a line", limit));
    cursor.expect_number("a column", limit);
    while (cursor.accept(",")) {
        if (cursor.accept("function_name")) {
            cursor.expect_word("a label");
            read_offset(cursor);
        } else {
            cursor.expect("inlined_at");
            for (int i = 0; i < 3; ++i) cursor.expect_number("a location", limit);
        }
    }
}

void read_instruction(Cursor& cursor, Statement& statement) {
    while (cursor.is_at(Token::Kind::word) && cursor.next().text.starts_with('.')) {
        statement.modifiers.push_back(read_suffixes(cursor, cursor.take().text, false));
    }
    while (!cursor.accept(";")) {
        statement.operands.push_back(read_operand(cursor, 0));
        if (!cursor.accept(",") && !cursor.is_at(";")) cursor.fail_expecting("',' or ';'");
    }
}

// Reads what follows the label of a list of targets or of a prototype.
bool read_labeled_directive(Cursor& cursor, Statement& statement) {
    if (cursor.accept(".branchtargets") || cursor.accept(".calltargets")) {
        statement.kind = Statement::Kind::targets;
        read_items(cursor, ";", 0, statement.operands);
        return true;
    }
    if (cursor.accept(".callprototype")) {
        statement.kind = Statement::Kind::prototype;
        statement.prototype.results = read_function_parameters(cursor);
        cursor.expect("_");
        statement.prototype.parameters = read_function_parameters(cursor);
        while (!cursor.accept(";")) {
            if (cursor.is_at(Token::Kind::end)) cursor.fail_expecting("';'");
            cursor.take();
        }
        return true;
    }
    return false;
}

// Reads a directive. Returns false if it has no meaning for the execution.
bool read_directive(Cursor& cursor, Statement& statement) {
    statement.kind = Statement::Kind::variable;
    if (cursor.accept(".reg")) {
        read_registers(cursor, statement);
    } else if (cursor.accept(".loc")) {
        read_location(cursor, statement);
    } else if (cursor.accept(".local")) {
        statement.variable = read_variable(cursor, LocalVariable::Space::local);
        cursor.expect(";");
    } else if (cursor.accept(".shared")) {
        statement.variable = read_variable(cursor, LocalVariable::Space::shared);
        cursor.expect(";");
    } else if (cursor.accept(".param")) {
        statement.variable = read_variable(cursor, LocalVariable::Space::parameter);
        cursor.expect(";");
    } else if (cursor.accept(".pragma")) {
        cursor.skip_past(";");
        return false;
    } else {
        cursor.fail_expecting("a statement");
    }
    return true;
}

}  // namespace

std::vector<LocalVariable> read_function_parameters(Cursor& cursor) {
    std::vector<LocalVariable> all;
    if (!cursor.accept("(") || cursor.accept(")")) return all;
    do {
        if (!cursor.accept(".reg")) cursor.expect(".param");
        all.push_back(read_variable(cursor, LocalVariable::Space::parameter));
    } while (cursor.accept(","));
    cursor.expect(")");
    return all;
}

std::vector<Statement> read_statements(Cursor& cursor, std::string_view name) {
    std::vector<Statement> statements;
    cursor.expect("{");
    for (int depth = 1; depth > 0;) {
        if (cursor.is_at(Token::Kind::end)) cursor.fail_expecting("'}' at the end of " + std::string(name));
        cursor.spend(units_of_statement);
        Statement statement;
        statement.line = cursor.line();
        if (cursor.accept("{")) {
            statement.kind = Statement::Kind::scope_begin;
            if (++depth > max_nesting) cursor.fail("scopes are nested too deeply");
        } else if (cursor.accept("}")) {
            statement.kind = Statement::Kind::scope_end;
            if (--depth == 0) break;
        } else if (cursor.accept("@")) {
            statement.is_guard_negated = cursor.accept("!");
            statement.guard = cursor.expect_word("a predicate");
            statement.name = cursor.expect_word("an instruction");
            read_instruction(cursor, statement);
        } else if (cursor.next().text.starts_with('.')) {
            if (!read_directive(cursor, statement)) continue;
        } else {
            statement.name = cursor.expect_word("a statement");
            if (!cursor.accept(":")) {
                read_instruction(cursor, statement);
            } else if (!read_labeled_directive(cursor, statement)) {
                statement.kind = Statement::Kind::label;
            }
        }
        statements.push_back(std::move(statement));
    }
    return statements;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
