// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/kernel_reader.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "ptx/text/statement_reader.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::uint64_t max_extent = 1 << 16;

void read_parameters(Cursor& cursor, Kernel& kernel, Function& function) {
    if (!cursor.accept("(") || cursor.accept(")")) return;
    StorageSize storage;
    do {
        cursor.expect(".param");
        const Declaration parameter = read_declaration(cursor);
        const std::size_t size = parameter.size(cursor);
        storage.add(cursor, size, parameter.alignment);
        if (storage.bytes > max_parameter_bytes) {
            cursor.fail("the parameters of " + kernel.name + " have " + std::to_string(storage.bytes) +
                        " bytes, but the limit is " + std::to_string(max_parameter_bytes));
        }
        kernel.parameters.push_back({storage.bytes - size, size});
        function.prototype.parameters.push_back(
            {LocalVariable::Space::parameter, parameter.name, size, parameter.alignment, false});
    } while (cursor.accept(","));
    cursor.expect(")");
    kernel.parameter_bytes = storage.bytes;
}

// Reads one to three numbers. Omitted numbers are 1.
Extent3 read_extent(Cursor& cursor) {
    const int line = cursor.line();
    Extent3 extent;
    extent.x = static_cast<unsigned>(cursor.expect_number("a number of threads or blocks", max_extent));
    if (cursor.accept(",")) extent.y = static_cast<unsigned>(cursor.expect_number("a number of threads or blocks", max_extent));
    if (cursor.accept(",")) extent.z = static_cast<unsigned>(cursor.expect_number("a number of threads or blocks", max_extent));
    constexpr std::uint64_t limit = std::uint64_t{1} << 31;
    const std::uint64_t product = std::uint64_t{extent.x} * extent.y * extent.z;
    if (product == 0 || product > limit) throw SyntaxError{line, "a number of threads or blocks is out of range"};
    return extent;
}

// Directives other than limits are not visible in the API.
void skip_directive(Cursor& cursor) {
    constexpr std::string_view known[] = {
        ".abi_preserve", ".abi_preserve_control", ".attribute", ".blocksareclusters", ".minnctapersm", ".noreturn", ".pragma",
        ".unique"};
    if (std::ranges::find(known, cursor.next().text) == std::end(known)) cursor.fail_expecting("a directive or '{'");
    cursor.take();
    while (cursor.is_at(Token::Kind::number) || cursor.is_at(Token::Kind::string) || cursor.is_at(",")) cursor.take();
}

void read_directives(Cursor& cursor, Kernel& kernel) {
    constexpr std::uint64_t limit = 1 << 16;
    bool has_max_block = false;
    while (!cursor.is_at("{") && !cursor.is_at(";")) {
        if (cursor.accept(".maxntid")) {
            kernel.block = read_extent(cursor);
            has_max_block = true;
        } else if (cursor.accept(".reqntid")) {
            kernel.block = read_extent(cursor);
            kernel.is_block_required = true;
        } else if (cursor.accept(".maxnreg")) {
            kernel.max_registers = static_cast<unsigned>(cursor.expect_number("a number of registers", limit));
            if (kernel.max_registers == 0) cursor.fail("a number of registers is 0");
        } else if (cursor.accept(".reqnctapercluster")) {
            kernel.cluster = read_extent(cursor);
            kernel.must_have_cluster = true;
        } else if (cursor.accept(".explicitcluster")) {
            kernel.must_have_cluster = true;
        } else if (cursor.accept(".maxclusterrank")) {
            kernel.max_cluster_blocks = static_cast<unsigned>(cursor.expect_number("a number of blocks", limit));
        } else if (cursor.accept(".pragma")) {
            cursor.skip_past(";");
        } else {
            skip_directive(cursor);
        }
    }
    if (has_max_block && kernel.is_block_required) cursor.fail("a kernel has both .maxntid and .reqntid");
}

void add_named(const Operand& operand, const SharedDeclarations& outer, std::set<std::string_view>& used) {
    if (outer.contains(operand.name)) used.insert(operand.name);
    for (const Operand& each : operand.items) add_named(each, outer, used);
}

// Adds up the variables that the body declares, and the shared variables outside that it names.
void measure_body(const Cursor& cursor, const SharedDeclarations& outer, const Function& function, Kernel& kernel) {
    StorageSize shared;
    StorageSize local;
    std::set<std::string_view> used;
    for (const Statement& statement : function.statements) {
        const LocalVariable& variable = statement.variable;
        const bool is_variable = statement.kind == Statement::Kind::variable;
        if (is_variable && variable.space == LocalVariable::Space::shared) shared.add(cursor, variable.size, variable.alignment);
        if (is_variable && variable.space == LocalVariable::Space::local) local.add(cursor, variable.size, variable.alignment);
        for (const Operand& operand : statement.operands) add_named(operand, outer, used);
    }
    for (const std::string_view name : used) {
        const Declaration& declaration = outer.at(name);
        shared.add(cursor, declaration.size(cursor), declaration.alignment);
    }
    kernel.shared_bytes = shared.bytes;
    kernel.local_bytes = local.bytes;
}

// Directives begin with a dot, names do not.
std::string_view read_name(Cursor& cursor, const char* what) {
    if (cursor.next().text.starts_with('.')) cursor.fail_expecting(what);
    return cursor.expect_word(what);
}

}  // namespace

void StorageSize::add(const Cursor& cursor, std::size_t size, std::size_t alignment) {
    const std::size_t before = bytes;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (bytes < before || __builtin_add_overflow(bytes, size, &bytes)) cursor.fail("variables are too large");
}

bool read_kernel(Cursor& cursor, const SharedDeclarations& shared, Kernel& kernel, Function& function) {
    function.line = cursor.line();
    function.is_kernel = true;
    function.name = read_name(cursor, "the name of a kernel");
    kernel.name = function.name;
    read_parameters(cursor, kernel, function);
    read_directives(cursor, kernel);
    if (cursor.accept(";")) return false;
    function.is_defined = true;
    function.statements = read_statements(cursor, function.name);
    measure_body(cursor, shared, function, kernel);
    return true;
}

void read_function(Cursor& cursor, Function& function) {
    function.line = cursor.line();
    function.prototype.results = read_function_parameters(cursor);
    function.name = read_name(cursor, "the name of a function");
    function.prototype.parameters = read_function_parameters(cursor);
    while (!cursor.is_at("{")) {
        if (cursor.accept(";")) return;
        skip_directive(cursor);
    }
    function.is_defined = true;
    function.statements = read_statements(cursor, function.name);
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
