// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Texts that a driver for a device of compute capability 9.0 accepts or rejects. This header uses neither cubind nor GoogleTest,
/// so that a program can load the same texts on a GPU.
namespace bad_modules {

/// Values of CUresult.
enum Status : int { success = 0, invalid_image = 200, invalid_ptx = 218, unsupported_version = 222 };

struct Case {
    std::string name;
    std::string text;
    Status status;
    std::string log = {};   ///< part of the error log of the simulation
    std::string line = {};  ///< as the log names it: "line 4"
};

inline std::string header(std::string_view version = "8.0", std::string_view target = "sm_90") {
    return std::string(".version ").append(version).append("\n.target ").append(target).append("\n.address_size 64\n");
}

/// Returns a module with one kernel, whose body begins in line 6.
inline std::string kernel(std::string_view body, std::string_view directives = "", std::string_view parameters = "") {
    return header()
        .append(".visible .entry k(")
        .append(parameters)
        .append(")")
        .append(directives)
        .append("\n{\n")
        .append(body)
        .append("\nret;\n}\n");
}

inline std::vector<Case> cases() {
    const std::string registers = ".reg .b32 %r<3>; .reg .pred %p<2>; .reg .b64 %d<3>;\n";
    const std::string empty_kernel = ".visible .entry k() { ret; }\n";
    const auto module = [&](std::string_view text) { return header().append(text).append("\n").append(empty_kernel); };
    std::vector<Case> all = {
        // The header.
        {"empty", "", invalid_image},
        {"words", "not code at all", invalid_image},
        {"binary", "\x7f\x01\x02\x03", invalid_image},
        {"header only", header(), success},
        {"no version", ".target sm_90\n" + empty_kernel, invalid_image, ".version"},
        {"no target", ".version 8.0\n" + empty_kernel, invalid_ptx, "'.target'", "line 2"},
        {"no address size", ".version 8.0\n.target sm_90\n" + empty_kernel, success},
        {"32 bits", ".version 8.0\n.target sm_90\n.address_size 32\n" + empty_kernel, invalid_ptx, "64", "line 3"},
        {"newer version", header("99.9") + empty_kernel, unsupported_version, "99.9"},
        {"version that never existed", header("7.9") + empty_kernel, unsupported_version, "7.9"},
        {"version that is no number", header("eight") + empty_kernel, invalid_ptx, "version", "line 1"},
        {"second version", header() + ".version 8.0\n" + empty_kernel, invalid_ptx, "'.version'", "line 4"},
        {"later device", header("9.0", "sm_100") + empty_kernel, invalid_ptx, "sm_100"},
        {"other device only", header("9.0", "sm_100a") + empty_kernel, invalid_ptx, "sm_100a"},
        {"other family", header("9.0", "sm_100f") + empty_kernel, invalid_ptx, "sm_100f"},
        {"this device only", header("8.0", "sm_90a") + empty_kernel, success},
        {"no such variant", header("9.0", "sm_90f") + empty_kernel, invalid_ptx, "sm_90f"},
        {"target without variants", header("9.0", "sm_80a") + empty_kernel, invalid_ptx, "sm_80a"},
        {"no such target", header("9.0", "sm_81") + empty_kernel, invalid_ptx, "sm_81"},
        {"target that is a word", header("9.0", "banana") + empty_kernel, invalid_ptx, "banana", "line 2"},
        {"unknown option of the target", header("8.0", "sm_90, banana") + empty_kernel, invalid_ptx, "banana", "line 2"},
        {"target of a later version", header("7.0") + empty_kernel, invalid_ptx, "sm_90"},
        // Syntax.
        {"missing semicolon", kernel(registers + "mov.u32 %r1, 1\nmov.u32 %r2, 2;"), invalid_ptx, "';'", "line 8"},
        {"truncated kernel", header() + ".visible .entry k() { ret;", invalid_ptx, "'}'", "line 4"},
        {"truncated comment", header() + "/* " + empty_kernel, invalid_ptx, "comment", "line"},
        {"control character", header() + ".visible .entry k() { \x01 ret; }", invalid_ptx, "character", "line 4"},
        {"accent in a comment", header() + "// \xc3\xa9\n" + empty_kernel, invalid_ptx, "character", "line 4"},
        {"NUL behind the module", header() + empty_kernel + std::string("\0 garbage", 9), success},
        {"NUL in a kernel", header() + ".visible .entry k() { " + std::string("\0 ret; }", 8), invalid_ptx, "'}'", "line 4"},
        {"unknown directive", module(".nonsense"), invalid_ptx, "'.nonsense'", "line 4"},
        {"instruction outside of functions", header() + "add.u32 %r1, %r2, %r3;", invalid_ptx, "'add'", "line 4"},
        {"name with a dot", header() + ".visible .entry .k() { ret; }", invalid_ptx, "'.k'", "line 4"},
        {"kernel in a kernel", kernel(".entry j() { ret; }"), invalid_ptx, "'.entry'", "line 6"},
        {"number beyond 64 bits", kernel(registers + "mov.u32 %r1, 99999999999999999999999;"), invalid_ptx, "number", "line 7"},
        // Instructions.
        {"unknown instruction", kernel(registers + "frobnicate.u32 %r1, %r2;"), invalid_ptx, "'frobnicate'", "line 7"},
        {"instruction of a later version",
         header("6.0", "sm_60") + ".visible .entry k() {\n.reg .b32 %r<4>;\nredux.sync.add.s32 %r1, %r2, %r3;\nret; }",
         invalid_ptx, "'redux'", "line 6"},
        {"instruction of a later target",
         header("8.0", "sm_60") + ".visible .entry k() {\n.reg .b32 %r<4>;\nredux.sync.add.s32 %r1, %r2, %r3;\nret; }",
         invalid_ptx, "'redux'", "line 6"},
        // Operands.
        {"too few operands", kernel(registers + "add.u32 %r1, %r2;"), invalid_ptx, "2 operands", "line 7"},
        {"too many operands", kernel(registers + "add.u32 %r1, %r2, %r1, %r2;"), invalid_ptx, "4 operands", "line 7"},
        {"wide source", kernel(registers + "add.u32 %r1, %d1, %r2;"), invalid_ptx, "64 bits", "line 7"},
        {"wide destination", kernel(registers + "add.u32 %d1, %r1, %r2;"), invalid_ptx, "'%d1'", "line 7"},
        {"float register of an integer instruction", kernel(".reg .f32 %f; .reg .u32 %u;\nadd.u32 %u, %f, %u;"), invalid_ptx,
         "'%f'", "line 7"},
        {"integer register of a float instruction", kernel(".reg .f32 %f; .reg .u32 %u;\nadd.f32 %f, %f, %u;"), invalid_ptx,
         "'%u'", "line 7"},
        {"register without a kind", kernel(registers + "add.f32 %r1, %r1, %r2;"), success},
        {"predicate as a source", kernel(registers + "add.u32 %r1, %p1, %r2;"), invalid_ptx, "predicate", "line 7"},
        {"register as a predicate", kernel(registers + "selp.b32 %r1, %r1, %r2, %r2;"), invalid_ptx, "no predicate", "line 7"},
        {"register as a guard", kernel(registers + "@%r1 ret;"), invalid_ptx, "'%r1'", "line 7"},
        {"number as a destination", kernel(registers + "add.u32 1, %r1, %r2;"), invalid_ptx, "destination", "line 7"},
        {"float as a whole number", kernel(registers + "add.s32 %r1, %r2, 1.0;"), invalid_ptx, "float", "line 7"},
        {"whole number as a float", kernel(registers + "add.f32 %r1, %r2, 1;"), invalid_ptx, "float", "line 7"},
        {"label as a source", kernel(registers + "a: add.u32 %r1, a, %r2;"), invalid_ptx, "label", "line 7"},
        {"vector as a source", kernel(registers + "add.u32 %r1, {%r1, %r2}, %r2;"), invalid_ptx, "vector", "line 7"},
        {"address as a source", kernel(registers + "add.u32 %r1, [%d1], %r2;"), invalid_ptx, "address", "line 7"},
        {"load without an address", kernel(registers + "ld.global.u32 %r1, %d1;"), invalid_ptx, "brackets", "line 7"},
        {"predicate as an address", kernel(registers + "ld.global.u32 %r1, [%p1];"), invalid_ptx, "predicate", "line 7"},
        {"load of a vector to one register", kernel(registers + "ld.global.v2.u32 %r1, [%d1];"), invalid_ptx, "elements",
         "line 7"},
        {"load to a narrow register", kernel(registers + "ld.global.u64 %r1, [%d1];"), invalid_ptx, "'%r1'", "line 7"},
        {"load to a wide register", kernel(registers + "ld.global.u32 %d1, [%d1];"), success},
        {"branch to a register", kernel(registers + "bra %r1;"), invalid_ptx, "label", "line 7"},
        {"unknown modifier", kernel(registers + "add.banana.u32 %r1, %r2, %r1;"), invalid_ptx, "'.banana'", "line 7"},
        {"unknown type", kernel(registers + "add.u33 %r1, %r2, %r1;"), invalid_ptx, "'.u33'", "line 7"},
        {"volatile load from local memory", kernel(registers + ".local .u32 l; ld.volatile.local.u32 %r1, [l];"), invalid_ptx,
         "PTX 9.1", "line 7"},
        {"volatile store to local memory", kernel(registers + ".local .u32 l; st.volatile.local.u32 [l], %r1;"), invalid_ptx,
         "PTX 9.1", "line 7"},
        {"instruction without operands", kernel("cp.async.commit_group;"), success},
        // Directives.
        {"unknown pragma", module(".pragma \"banana\";"), invalid_ptx, "'banana'", "line 4"},
        {"unknown pragma in a kernel", kernel(".pragma \"banana\";"), success},
        {"unknown directive of a kernel", kernel("", " .banana 3"), invalid_ptx, "'.banana'", "line 4"},
        {"unknown directive in a kernel", kernel(".banana 3;"), invalid_ptx, "'.banana'", "line 6"},
        // The order of declarations.
        {"function before its declaration", kernel("call f;") + ".func f() { ret; }", invalid_ptx, "'f'", "line 6"},
        {"variable before its declaration", kernel(registers + "mov.u64 %d1, v;") + ".global .u32 v;", invalid_ptx, "'v'",
         "line 7"},
        {"initial value before its declaration", module(".global .u64 q = w;\n.global .u32 w;"), invalid_ptx, "'w'", "line 4"},
        {"kernel declared before its body",
         header() + ".entry j();\n.visible .global .u64 q = j;\n.visible .entry k() { ret; }\n.entry j() { ret; }", success},
        {"function declared before its body", header() + ".func f();\n.visible .entry k() { call f; ret; }\n.func f() { ret; }",
         success},
        // Names.
        {"undefined register", kernel("mov.u32 %r1, 1;"), invalid_ptx, "'%r1'", "line 6"},
        {"register beyond a group", kernel(registers + "mov.u32 %r3, 1;"), invalid_ptx, "'%r3'", "line 7"},
        {"undefined predicate", kernel("@%p1 ret;"), invalid_ptx, "'%p1'", "line 6"},
        {"undefined special register", kernel(registers + "mov.u32 %r1, %nosuch;"), invalid_ptx, "'%nosuch'", "line 7"},
        {"undefined address", kernel(registers + "ld.global.u32 %r1, [nothing];"), invalid_ptx, "'nothing'", "line 7"},
        {"undefined variable", kernel(registers + "mov.u64 %d1, nothing;"), invalid_ptx, "'nothing'", "line 7"},
        {"undefined parameter", kernel(registers + "ld.param.u32 %r1, [nope];"), invalid_ptx, "'nope'", "line 7"},
        {"undefined label", kernel("bra nowhere;"), invalid_ptx, "'nowhere'", "line 6"},
        {"label of inner braces", kernel("{ a: }\nbra a;"), invalid_ptx, "'a'", "line 7"},
        {"label of outer braces", kernel("{ bra a; }\na:"), success},
        {"undefined function", kernel("call nothing;"), invalid_ptx, "'nothing'", "line 6"},
        {"external function", header() + ".extern .func nothing();\n.visible .entry k() { call nothing; ret; }", invalid_ptx,
         "'nothing'", "line 5"},
        {"external function without a use", module(".extern .func nothing();"), success},
        {"undefined initial value", module(".visible .global .u64 q = nothing;"), invalid_ptx, "'nothing'", "line 4"},
        {"too few arguments", header() + ".func f(.param .u32 a) { ret; }\n.visible .entry k() { call f; ret; }", invalid_ptx,
         "'f'", "line 5"},
        {"result that is not taken", header() + ".func (.param .b32 r) f() { ret; }\n.visible .entry k() { call f; ret; }",
         invalid_ptx, "'f'", "line 5"},
        // Definitions.
        {"second kernel", module(empty_kernel), invalid_ptx, "twice", "line 6"},
        {"second variable", module(".global .u32 a;\n.global .u32 a;"), invalid_ptx, "twice", "line 5"},
        {"variable and kernel", module(".global .u32 k;"), invalid_ptx, "twice", "line 5"},
        {"second function", module(".func f() { ret; }\n.func f() { ret; }"), invalid_ptx, "twice", "line 5"},
        {"second shared variable", module(".shared .u32 a;\n.shared .u32 a;"), invalid_ptx, "twice", "line 5"},
        {"external shared variables", module(".extern .shared .b8 a[];\n.extern .shared .b8 a[];"), success},
        {"declared and defined variable", module(".extern .global .u32 a;\n.visible .global .u32 a = 1;"), success},
        {"second label", kernel("a: ret;\na:"), invalid_ptx, "twice", "line 7"},
        {"second register", kernel(".reg .b32 %a;\n.reg .b64 %a;"), invalid_ptx, "twice", "line 7"},
        {"register in inner braces", kernel(".reg .b32 %a;\n{ .reg .b64 %a; }"), success},
        {"second group of registers", kernel(".reg .b32 %r<3>;\n.reg .b32 %r<5>;"), invalid_ptx, "twice", "line 7"},
        {"second parameter", kernel("", "", ".param .u32 a, .param .u32 a"), invalid_ptx, "twice", "line 4"},
        {"parameter and register", kernel(".reg .b32 a;", "", ".param .u32 a"), invalid_ptx, "twice", "line 6"},
        // Variables and limits.
        {"alignment", module(".global .align 3 .u32 a;"), invalid_ptx, "alignment", "line 4"},
        {"too many initial values", module(".visible .global .u32 a[2] = {1, 2, 3};"), invalid_ptx, "initial", "line 4"},
        {"initialized shared variable", module(".shared .u32 a = 1;"), invalid_ptx, "'='", "line 4"},
        {"array of negative size", module(".global .u32 a[-1];"), invalid_ptx, "'-'", "line 4"},
        {"array of no elements", module(".visible .global .u32 a[0];"), invalid_ptx, "no elements", "line 4"},
        {"array of unknown size", module(".visible .global .u32 a[];"), invalid_ptx, "no elements", "line 4"},
        {"48 KiB of shared memory", kernel(".shared .b8 a[49152];"), success},
        {"more than 48 KiB of shared memory", kernel(".shared .b8 a[49153];"), success},
        {"more than 227 KiB of shared memory", kernel(".shared .b8 a[232449];"), invalid_ptx, "232449", "line 4"},
        {"unused shared memory", module(".shared .b8 a[300000];"), success},
        {"shared memory of a function",
         header() + ".func f() { .shared .b8 a[300000]; ret; }\n.visible .entry k() { call f; ret; }", invalid_ptx, "300000",
         "line 5"},
        {"4352 bytes of parameters", kernel("", "", ".param .align 4 .b8 a[4352]"), success},
        {"more than 4352 bytes of parameters", kernel("", "", ".param .align 4 .b8 a[4356]"), invalid_ptx, "4356", "line 4"},
        {"64 KiB of constants", module(".visible .const .b8 a[65536];"), success},
        {"more than 64 KiB of constants", module(".visible .const .b8 a[40000];\n.visible .const .b8 b[40000];"), invalid_ptx,
         "80000", "line 5"},
        {"no threads", kernel("", " .maxntid 0"), invalid_ptx, "threads", "line 4"},
        {"more threads than a block has", kernel("", " .maxntid 2048"), success},
        {"two limits of threads", kernel("", " .reqntid 64 .maxntid 64"), invalid_ptx, ".reqntid", "line 5"},
        {"no registers", kernel("", " .maxnreg 0"), invalid_ptx, "registers", "line 5"},
        {"too few registers", kernel("", " .maxnreg 8"), success},
    };
    for (const char* size : {"32764", "32768"}) {
        std::string text = header("8.1") + ".visible .entry k(.param .align 4 .b8 a[" + size + "]) { ret; }";
        all.push_back(
            {std::string(size) + " bytes of parameters", text, size == std::string_view("32764") ? success : invalid_ptx});
    }
    return all;
}

}  // namespace bad_modules
