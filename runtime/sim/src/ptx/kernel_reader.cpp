// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/kernel_reader.hpp"

#include <set>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::size_t max_parameter_bytes = 32764;
constexpr std::uint64_t max_extent = 1 << 16;

void read_parameters(Cursor& cursor, Kernel& kernel) {
    if (!cursor.accept("(") || cursor.accept(")")) return;
    StorageSize storage;
    do {
        cursor.expect(".param");
        const Declaration parameter = read_declaration(cursor);
        const std::size_t size = parameter.size(cursor);
        storage.add(cursor, size, parameter.alignment);
        if (storage.bytes > max_parameter_bytes) cursor.fail("the parameters of " + kernel.name + " are too large");
        kernel.parameters.push_back({storage.bytes - size, size});
    } while (cursor.accept(","));
    cursor.expect(")");
    kernel.parameter_bytes = storage.bytes;
}

// Reads one to three numbers. Omitted numbers are 1.
Extent3 read_extent(Cursor& cursor) {
    Extent3 extent;
    extent.x = static_cast<unsigned>(cursor.expect_number("a number of threads or blocks", max_extent));
    if (cursor.accept(",")) extent.y = static_cast<unsigned>(cursor.expect_number("a number of threads or blocks", max_extent));
    if (cursor.accept(",")) extent.z = static_cast<unsigned>(cursor.expect_number("a number of threads or blocks", max_extent));
    constexpr std::uint64_t limit = std::uint64_t{1} << 31;
    const std::uint64_t product = std::uint64_t{extent.x} * extent.y * extent.z;
    if (product == 0 || product > limit) cursor.fail("a number of threads or blocks is out of range");
    return extent;
}

// Directives other than limits are not visible in the API.
void skip_directive(Cursor& cursor) {
    if (!cursor.next().text.starts_with('.')) cursor.fail_expecting("a directive or '{'");
    cursor.take();
    while (cursor.is_at(Token::Kind::number) || cursor.is_at(Token::Kind::string) || cursor.is_at(",")) cursor.take();
}

void read_directives(Cursor& cursor, Kernel& kernel) {
    constexpr std::uint64_t limit = 1 << 16;
    while (!cursor.is_at("{") && !cursor.is_at(";")) {
        if (cursor.accept(".maxntid")) {
            kernel.block = read_extent(cursor);
        } else if (cursor.accept(".reqntid")) {
            kernel.block = read_extent(cursor);
            kernel.is_block_required = true;
        } else if (cursor.accept(".maxnreg")) {
            kernel.max_registers = static_cast<unsigned>(cursor.expect_number("a number of registers", limit));
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
}

// Skips instructions. A declaration can only appear at the beginning of a statement.
void read_body(Cursor& cursor, const SharedVariables& outer, Kernel& kernel) {
    StorageSize shared;
    StorageSize local;
    std::set<std::string_view> used;
    cursor.expect("{");
    bool is_at_statement = true;
    for (std::size_t depth = 1; depth > 0;) {
        if (cursor.is_at(Token::Kind::end)) cursor.fail_expecting("'}' at the end of " + kernel.name);
        const Token token = cursor.take();
        if (is_at_statement && (token == ".shared" || token == ".local")) {
            const Declaration variable = read_declaration(cursor);
            (token == ".shared" ? shared : local).add(cursor, variable.size(cursor), variable.alignment);
            cursor.expect(";");
            continue;
        }
        if (token == "{") ++depth;
        if (token == "}") --depth;
        is_at_statement = token == ";" || token == "{" || token == "}" || token == ":";
        const auto named = outer.find(token.text);
        if (named != outer.end() && used.insert(token.text).second) {
            shared.add(cursor, named->second.size(cursor), named->second.alignment);
        }
    }
    kernel.shared_bytes = shared.bytes;
    kernel.local_bytes = local.bytes;
}

}  // namespace

void StorageSize::add(const Cursor& cursor, std::size_t size, std::size_t alignment) {
    const std::size_t before = bytes;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (bytes < before || __builtin_add_overflow(bytes, size, &bytes)) cursor.fail("variables are too large");
}

bool read_kernel(Cursor& cursor, const SharedVariables& shared, Kernel& kernel) {
    kernel.name = cursor.expect_word("the name of a kernel");
    read_parameters(cursor, kernel);
    read_directives(cursor, kernel);
    if (cursor.accept(";")) return false;
    read_body(cursor, shared, kernel);
    return true;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
