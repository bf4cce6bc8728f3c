// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of integer instructions, and what an H200 computed for corner cases.
#include <algorithm>
#include <set>

#include "instruction_test.hpp"
#include "ptx/handlers/families.hpp"

namespace cubind::testing::integer_form_tests {
namespace {

using sim::ptx::Form;

const std::set<std::string_view> opcodes = {"addc", "subc",  "mad",  "madc", "mul24", "mad24", "sad",     "rem",  "popc",
                                            "clz",  "bfind", "fns",  "brev", "bfe",   "bfi",   "szext",   "bmsk", "dp4a",
                                            "dp2a", "and",   "or",   "xor",  "not",   "cnot",  "lop3",    "shl",  "shr",
                                            "shf",  "prmt",  "selp", "slct", "mov",   "cvta",  "isspacep"};
// These have forms of other families, too.
const std::set<std::string_view> shared_opcodes = {"add", "sub", "mul", "div", "abs", "neg", "min", "max", "setp", "set"};

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (end != 0) parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

// Returns each sequence of modifiers that a row has.
std::vector<std::vector<std::string>> modifiers_of(const Form& form) {
    std::vector<std::vector<std::string>> all = {{}};
    for (std::string group : split(form.modifiers, ' ')) {
        const bool is_optional = group[0] == '[';
        if (is_optional) group = group.substr(1, group.size() - 2);
        std::vector<std::vector<std::string>> longer;
        for (const auto& each : all) {
            if (is_optional) longer.push_back(each);
            for (const std::string& alternative : split(group, '|')) {
                longer.push_back(each);
                longer.back().push_back(alternative);
            }
        }
        all = std::move(longer);
    }
    return all;
}

std::string register_of(int bytes, std::size_t number) {
    const char* const kind = bytes == 0 ? "p" : bytes == 1 ? "o" : bytes == 2 ? "h" : bytes == 4 ? "r" : bytes == 8 ? "d" : "q";
    return '%' + std::string(kind) + std::to_string(number);
}

// Returns the operands of a row, registers of the sizes that it requires.
std::string operands_of(const Form& form, const std::vector<std::string>& modifiers, int parts) {
    std::vector<int> types;
    for (const std::string& each : modifiers) {
        if (sim::ptx::bytes_of_type(each) >= 0) types.push_back(sim::ptx::bytes_of_type(each));
    }
    const int type = types.empty() ? 0 : types.back();
    const auto has = [&](const char* modifier) { return std::ranges::find(modifiers, modifier) != modifiers.end(); };
    std::string text;
    std::size_t number = 0;
    for (std::string spec : split(form.operands, ' ')) {
        if (spec[0] == '=') spec = spec.substr(1);
        text += text.empty() ? " " : ", ";
        const auto next = [&](int bytes) { return register_of(bytes, number++); };
        if (spec == "t") text += next(type);
        if (spec == "s") text += next(types[types.size() - 2]);
        if (spec == "w") text += next(2 * type);
        if (spec == "b32") text += next(4);
        if (spec == "b64") text += next(8);
        if (spec == "p") text += next(0);
        if (spec == "p|p") text += next(0) + '|' + register_of(0, 7);
        if (spec == "t|p") text += next(type) + (has(".and") || has(".or") ? "|%p7" : "");
        if (spec == "i") text += "150";
        const int length = spec == "e" ? parts : spec != "v" ? 0 : has(".v2") ? 2 : 4;
        for (int i = 0; i < length; ++i) text += (i == 0 ? '{' : ',') + next(spec == "v" ? type : type / length);
        if (length != 0) text += '}';
    }
    return text;
}

const char* const head =
    ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry test() {\n.reg .pred %p<9>;\n.reg .b8 %o<9>;\n.reg .b16 "
    "%h<9>;\n"
    ".reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .b128 %q<9>;\n";

class IntegerFormTest : public ::testing::Test {
protected:
    // Returns each instruction of the tables, and the row that it is from.
    static std::vector<std::pair<std::string, const Form*>> instructions() {
        std::vector<std::pair<std::string, const Form*>> all;
        for (const sim::ptx::Forms& family : sim::ptx::families()) {
            // Forms for floating-point numbers belong to other tests, except for moves and selections.
            for (const Form& form : family) {
                const std::string text(form.modifiers);
                const bool is_float = text.find("f16") != std::string::npos || text.find("f32|.f64") != std::string::npos ||
                                      text.find("[.ftz]") != std::string::npos || text.ends_with(".f32") ||
                                      text.ends_with(".f64");
                if (!opcodes.contains(form.opcode) && (!shared_opcodes.contains(form.opcode) || is_float)) continue;
                for (const auto& modifiers : modifiers_of(form)) {
                    std::string name(form.opcode);
                    for (const std::string& each : modifiers) name += each;
                    const bool has_parts = form.operands.find('e') != std::string_view::npos;
                    const int most = has_parts && sim::ptx::bytes_of_type(modifiers.back()) > 2 ? 4 : 2;
                    for (int parts = 2; parts <= (has_parts ? most : 2); parts *= 2) {
                        all.emplace_back(name + operands_of(form, modifiers, parts) + ";", &form);
                    }
                }
            }
        }
        return all;
    }
};

TEST_F(IntegerFormTest, SelectsAHandlerForEachAlternative) {
    const auto all = instructions();
    EXPECT_GT(all.size(), 400u);
    std::string text = head;
    for (const auto& each : all) text += each.first + '\n';
    sim::ptx::ReadResult reading = sim::ptx::read(text + "ret;\n}\n", 99990);
    ASSERT_EQ(reading.status, driver::CUDA_SUCCESS) << reading.problem;
    std::size_t next = 0;
    for (const sim::ptx::Statement& statement : reading.image.code->functions.at(0).statements) {
        if (statement.kind != sim::ptx::Statement::Kind::instruction || statement.name == "ret") continue;
        const sim::ptx::FormMatch match = sim::ptx::form_table().find(statement, 9000, 90);
        EXPECT_EQ(match.form, all[next].second) << all[next].first << ' ' << match.problem;
        ++next;
    }
    EXPECT_EQ(next, all.size());
    sim::ptx::Executable executable(reading.image.code, reading.image.version, reading.image.target,
                                    [](std::string_view) { return std::optional<std::uint64_t>(); });
    for (const auto& problem : executable.find_kernel("test")->kernel().problems) ADD_FAILURE() << *problem;
}

TEST_F(IntegerFormTest, RejectsFormsThatDoNotExist) {
    for (const char* const instruction : {"add.b32 %r0, %r1, %r2;",          "and.u32 %r0, %r1, %r2;",
                                          "madc.hi.s16 %h0, %h1, %h2, %h3;", "madc.hi.sat.s32 %r0, %r1, %r2, %r3;",
                                          "add.cc.u16 %h0, %h1, %h2;",       "setp.lo.s32 %p0, %r1, %r2;",
                                          "setp.lt.b32 %p0, %r1, %r2;",      "sub.u16x2 %r0, %r1, %r2;",
                                          "mul.u32 %r0, %r1, %r2;",          "lop3.b32 %r0, %r1, %r2, %r3, %r4;",
                                          "mov.u64 {%r0, %r1}, %d0;",        "mov.b64 {%r0, %h1}, %d0;",
                                          "mov.b64 {%o0, %o1, %o2}, %d0;",   "mov.b16 {%o0, %o1, %o2, %o3}, %h0;",
                                          "cvta.shared.u32 %r0, %r1;",       "bfe.b32 %r0, %r1, %r2, %r3;",
                                          "shl.b32 %r0, %r1, %d1;",          "isspacep.param::func %p0, %d0;",
                                          "prmt.b64 %d0, %d1, %d2, %d3;",    "mov.v2.b32 {%d0, %d1}, {%r0, %r1};"}) {
        sim::ptx::ReadResult reading = sim::ptx::read(head + std::string(instruction) + "\nret;\n}\n", 99990);
        ASSERT_EQ(reading.status, driver::CUDA_SUCCESS) << reading.problem;
        sim::ptx::Executable executable(reading.image.code, reading.image.version, reading.image.target,
                                        [](std::string_view) { return std::optional<std::uint64_t>(); });
        EXPECT_EQ(executable.find_kernel("test")->kernel().problems.size(), 1u) << instruction;
    }
}

// An instruction of 32 bits with up to three sources, and the result of an H200.
struct Recorded {
    const char* instruction;
    std::uint32_t a;
    std::uint32_t b;
    std::uint32_t c;
    std::uint32_t result;
};

constexpr Recorded recorded[] = {
    {"div.u32 %d, %a, %b;", 7, 0, 0, 0xffffffff},
    {"rem.u32 %d, %a, %b;", 7, 0, 0, 0xffffffff},
    {"div.s32 %d, %a, %b;", 7, 0, 0, 0xffffffff},
    {"rem.s32 %d, %a, %b;", 0xfffffff9, 0, 0, 0xffffffff},
    {"div.s32 %d, %a, %b;", 0x80000000, 0xffffffff, 0, 0x80000000},
    {"rem.s32 %d, %a, %b;", 0x80000000, 0xffffffff, 0, 0},
    {"shl.b32 %d, %a, %b;", 1, 0x20, 0, 0},
    {"shl.b32 %d, %a, %b;", 1, 0x100, 0, 0},
    {"shr.s32 %d, %a, %b;", 0x80000000, 0x28, 0, 0xffffffff},
    {"bfe.s32 %d, %a, %b, %c;", 0xdeadbeef, 0x1c, 8, 0xfffffffd},
    {"bfe.u32 %d, %a, %b, %c;", 0xdeadbeef, 0x12c, 4, 0},
    {"bfe.s32 %d, %a, %b, %c;", 0x80000000, 0x1f, 0, 0},
    {"bfind.u32 %d, %a;", 0, 0, 0, 0xffffffff},
    {"bfind.s32 %d, %a;", 0xffffffff, 0, 0, 0xffffffff},
    {"bfind.shiftamt.u32 %d, %a;", 0, 0, 0, 0xffffffff},
    {"shf.l.wrap.b32 %d, %a, %b, %c;", 1, 2, 0x25, 0x40},
    {"shf.l.clamp.b32 %d, %a, %b, %c;", 1, 2, 0x25, 1},
    {"prmt.b32 %d, %a, %b, %c;", 0x33221180, 0x77665584, 0x8c9d, 0xffff0000},
    {"prmt.b32.f4e %d, %a, %b, %c;", 0x33221100, 0x77665544, 3, 0x66554433},
    {"mul24.hi.s32 %d, %a, %b;", 0x00ffffff, 0x00876543, 0, 0x78},
    {"sad.s32 %d, %a, %b, %c;", 5, 0xfffffff7, 1, 0xf},
    {"bmsk.clamp.b32 %d, %a, %b;", 0x1e, 7, 0, 0xc0000000},
    {"bmsk.wrap.b32 %d, %a, %b;", 0x1e, 7, 0, 0xc0000000},
    {"szext.clamp.s32 %d, %a, %b;", 0xdeadbeef, 0x28, 0, 0xdeadbeef},
    {"fns.b32 %d, %a, %b, %c;", 0xf0f0, 6, 2, 7},
    {"dp4a.s32.s32 %d, %a, %b, %c;", 0x80ff7f01, 0x02030405, 0, 0xfe},
    {"mul.hi.s32 %d, %a, %b;", 0x80000000, 3, 0, 0xfffffffe},
    {"cnot.b32 %d, %a;", 0, 0, 0, 1},
};

TEST_F(IntegerFormTest, ComputesWhatAnH200Computed) {
    using Words = std::vector<std::uint32_t>;
    for (const Recorded& each : recorded) {
        const Words result =
            run_instruction<std::uint32_t>(each.instruction, false, "8.8", Words{each.a}, Words{each.b}, Words{each.c});
        EXPECT_EQ(result, Words{each.result}) << each.instruction;
    }
    using Longs = std::vector<std::uint64_t>;
    const Longs ones{~std::uint64_t{0}};
    EXPECT_EQ(run_instruction<std::uint64_t>("div.u64 %d, %a, %b;", false, "8.8", Longs{7}, Longs{0}), ones);
    EXPECT_EQ(run_instruction<std::uint64_t>("rem.s64 %d, %a, %b;", false, "8.8", Longs{~std::uint64_t{6}}, Longs{0}), ones);
}

}  // namespace
}  // namespace cubind::testing::integer_form_tests
