// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "bit_oracle.hpp"

namespace cubind::testing::move_tests {
namespace {

using namespace oracle;

TEST(MoveTest, CopiesRegisters) {
    for (const char* const type : {".b16", ".u16", ".s16"}) {
        expect_instruction_for_all<std::uint16_t, std::uint16_t>("mov" + std::string(type) + " %d, %a;",
                                                                 [](std::uint16_t a) { return a; });
    }
    for (const char* const type : {".b32", ".u32", ".s32", ".f32"}) {
        expect_instruction_for_all<std::uint32_t, std::uint32_t>("mov" + std::string(type) + " %d, %a;",
                                                                 [](std::uint32_t a) { return a; });
    }
    for (const char* const type : {".b64", ".u64", ".s64", ".f64"}) {
        expect_instruction_for_all<std::uint64_t, std::uint64_t>("mov" + std::string(type) + " %d, %a;",
                                                                 [](std::uint64_t a) { return a; });
    }
}

TEST(MoveTest, PacksAndUnpacks) {
    expect_instruction_for_all<std::uint64_t, std::uint64_t>("mov.b64 {%t, %u}, %a;\nmov.b64 %d, {%u, %t};", [](std::uint64_t a) {
        return cut<std::uint64_t>(extend(cut<std::uint32_t>(a, 32)) | Number{cut<std::uint32_t>(a)} << 32);
    });
    const std::string halves = ".reg .b16 %h<4>;\n";
    const auto reverse_halves = [](std::uint64_t a) {
        Number result = 0;
        for (int i = 0; i < 4; ++i) result = result << 16 | extend(cut<std::uint16_t>(a, 16 * i));
        return cut<std::uint64_t>(result);
    };
    expect_instruction_for_all<std::uint64_t, std::uint64_t>(
        halves + "mov.b64 {%h0, %h1, %h2, %h3}, %a;\nmov.b64 %d, {%h3, %h2, %h1, %h0};", reverse_halves);
    expect_instruction_for_all<std::uint64_t, std::uint64_t>(
        halves +
            "mov.b64 {%t, %u}, %a;\nmov.b32 {%h0, %h1}, %t;\nmov.b32 {%h2, %h3}, %u;\nmov.b32 %t, {%h3, %h2};\n"
            "mov.b32 %u, {%h1, %h0};\nmov.b64 %d, {%t, %u};",
        reverse_halves);
    const std::string bytes = ".reg .b8 %o<4>;\n";
    const auto reverse_bytes = [](std::uint32_t a) {
        Number result = 0;
        for (int i = 0; i < 4; ++i) result = result << 8 | extend(cut<std::uint8_t>(a, 8 * i));
        return cut<std::uint32_t>(result);
    };
    expect_instruction_for_all<std::uint32_t, std::uint32_t>(
        bytes + "mov.b32 {%o0, %o1, %o2, %o3}, %a;\nmov.b32 %d, {%o3, %o2, %o1, %o0};", reverse_bytes);
    expect_instruction_for_all<std::uint32_t, std::uint32_t>(
        bytes + halves +
            "mov.b32 {%h0, %h1}, %a;\nmov.b16 {%o0, %o1}, %h0;\nmov.b16 {%o2, %o3}, %h1;\n"
            "mov.b16 %h0, {%o3, %o2};\nmov.b16 %h1, {%o1, %o0};\nmov.b32 %d, {%h0, %h1};",
        reverse_bytes);
}

TEST(MoveTest, LeavesOutPartsAndTakesNumbers) {
    expect_instruction_for_all<std::uint64_t, std::uint64_t>(
        "mov.b64 {_, %t}, %a;\nmov.b64 %d, {%t, 0x80000001};",
        [](std::uint64_t a) { return cut<std::uint64_t>(extend(cut<std::uint32_t>(a, 32)) | Number{0x80000001} << 32); });
    expect_instruction_for_all<std::uint32_t, std::uint32_t>(
        ".reg .b16 %h;\nmov.b32 {%h, _}, %a;\nmov.b32 %d, {-2, %h};",
        [](std::uint32_t a) { return cut<std::uint32_t>(Number{0xfffe} | extend(a) << 16); });
}

TEST(MoveTest, Moves128Bits) {
    const std::string registers = ".reg .b128 %v, %w;\n";
    expect_instruction_for_all<std::uint64_t, std::uint64_t, std::uint64_t>(
        registers + "mov.b128 %v, {%a, %b};\nmov.b128 %w, %v;\nmov.b128 {%x, %y}, %w;\nsub.u64 %d, %x, %y;",
        [](std::uint64_t a, std::uint64_t b) { return cut<std::uint64_t>(subtract(a, b)); });
    expect_instruction_for_all<std::uint64_t, std::uint64_t, std::uint64_t>(
        registers +
            ".reg .b32 %r<4>;\nmov.b128 %v, {%a, %b};\nmov.b128 {%r0, %r1, %r2, %r3}, %v;\n"
            "mov.b128 %w, {%r3, %r0, %r1, %r2};\nmov.b128 {%x, %y}, %w;\nxor.b64 %d, %x, %y;",
        [](std::uint64_t a, std::uint64_t b) {
            const Number all = extend(a) | extend(b) << 64;
            const Number turned = all << 32 | all >> 96;
            return cut<std::uint64_t>(turned) ^ cut<std::uint64_t>(turned, 64);
        });
}

TEST(MoveTest, ExchangesRegisters) {
    expect_instruction_for_all<std::uint32_t, std::uint32_t, std::uint32_t>(
        "mov.v2.b32 {%a, %b}, {%b, %a};\nsub.u32 %d, %a, %b;",
        [](std::uint32_t a, std::uint32_t b) { return cut<std::uint32_t>(subtract(b, a)); });
    expect_instruction_for_all<std::uint64_t, std::uint64_t, std::uint64_t>(
        "mov.v4.u64 {%a, %b, %d, %x}, {%b, %a, 5, %b};\nsub.u64 %d, %a, %d;\nsub.u64 %d, %d, %x;",
        [](std::uint64_t, std::uint64_t) { return std::uint64_t{0} - 5; });
}

TEST(MoveTest, ReadsSpecialRegisters) {
    // Blocks of 128 threads are rows of warps.
    expect_instruction_for_all<std::uint32_t, std::uint32_t>(
        "mov.u32 %t, %ntid.x;\nmov.b32 %u, %laneid;\nmad.lo.u32 %d, %t, 1000, %u;\nmov.u32 %t, %tid.x;\nand.b32 %t, %t, 31;\n"
        "sub.u32 %d, %d, %t;\nadd.u32 %d, %d, WARP_SZ;",
        [](std::uint32_t) { return 128032u; });
    expect_instruction_for_all<std::uint16_t, std::uint32_t>(
        ".reg .b16 %h, %i;\nmov.u16 %h, %tid.x;\nmov.u32 %t, %tid.x;\nmov.b32 {%i, _}, %t;\nmov.b16 %d, %ntid.x;\n"
        "sub.u16 %h, %h, %i;\nadd.u16 %d, %d, %h;\n",
        [](std::uint32_t) { return 128; });
}

// A module with a variable in each state space, and a kernel that writes words.
std::string address_kernel(const std::string& body) {
    return ".version 8.8\n.target sm_90\n.address_size 64\n.global .b32 data[4];\n.const .b32 table[4];\n"
           ".func device() { ret; }\n"
           ".visible .entry test(.param .u64 out, .param .u64 other) {\n.reg .b64 %r<10>;\n.reg .b32 %w<10>;\n.reg .pred "
           "%p<10>;\n"
           ".shared .align 8 .b64 block[4];\n.local .align 8 .b64 own[4];\nld.param.u64 %r0, [out];\n" +
           body + "\nret;\n}\n";
}

std::vector<std::uint64_t> run_addresses(const std::string& body, std::size_t count) {
    KernelRunner runner(address_kernel(body));
    const std::uint64_t out = runner.memory.allocate(8 * count);
    // On a GPU, addresses in the state space .const are offsets.
    runner.is_compared = body.find("const") == std::string::npos;
    const sim::ptx::GridResult result = runner.run("test", {1, 1, 1}, {1, 1, 1}, {out, 77});
    EXPECT_EQ(result.status, driver::CUDA_SUCCESS) << result.problem;
    return runner.memory.read<std::uint64_t>(out, count);
}

TEST(AddressTest, ConvertsBetweenStateSpaces) {
    for (const std::string each : {"shared block", "shared::cta block", "shared::cluster block", "local own"}) {
        const std::string space = each.substr(0, each.find(' '));
        const std::string variable = each.substr(each.find(' ') + 1);
        const std::string plain = space.substr(0, space.find(':'));
        const auto words =
            run_addresses("mov.u64 %r1, " + variable + "+8;\ncvta." + space + ".u64 %r2, %r1;\ncvta." + space + ".u64 %r3, " +
                              variable + "+8;\nsub.u64 %r4, %r2, %r3;\nst.global.u64 [%r0], %r4;\ncvta.to." + space +
                              ".u64 %r5, %r2;\nsub.u64 %r5, %r5, %r1;\nst.global.u64 [%r0+8], %r5;\nst." + plain +
                              ".u64 [%r1], 1234;\nld.u64 %r6, [%r2];\nst.global.u64 [%r0+16], %r6;\n",
                          3);
        EXPECT_EQ(words, (std::vector<std::uint64_t>{0, 0, 1234})) << each;
    }
    for (const std::string space : {"param", "param::entry"}) {
        const auto words =
            run_addresses("cvta." + space + ".u64 %r1, other;\nld.u64 %r2, [%r1];\nst.global.u64 [%r0], %r2;\ncvta.to." + space +
                              ".u64 %r1, %r1;\nld.param.u64 %r2, [%r1];\nst.global.u64 [%r0+8], %r2;\n",
                          2);
        EXPECT_EQ(words, (std::vector<std::uint64_t>{77, 77})) << space;
    }
    for (const std::string each : {"global data", "const table"}) {
        const std::string space = each.substr(0, each.find(' '));
        const std::string variable = each.substr(each.find(' ') + 1);
        const auto words = run_addresses("mov.u64 %r1, " + variable + ";\ncvta." + space + ".u64 %r2, " + variable +
                                             ";\nsub.u64 %r2, %r2, %r1;\nst.global.u64 [%r0], %r2;\ncvta.to." + space +
                                             ".u64 %r2, %r1;\nsub.u64 %r2, %r2, %r1;\nst.global.u64 [%r0+8], %r2;\n",
                                         2);
        EXPECT_EQ(words, (std::vector<std::uint64_t>{0, 0})) << each;
    }
}

TEST(AddressTest, TestsStateSpaces) {
    const char* const spaces[] = {"global",      "shared",          "local",        "param",
                                  "shared::cta", "shared::cluster", "param::entry", "const"};
    struct Case {
        const char* address;
        unsigned spaces;  // a bit for each of the names above
    };
    const Case all[] = {{"mov.u64 %r1, data;", 0b0000001},
                        {"mov.u64 %r1, table;", 0b10000000},
                        {"cvta.const.u64 %r1, table;\nst.u32 [%r1], 5;", 0b10000000},
                        {"cvta.shared.u64 %r1, block;", 0b0110010},
                        {"cvta.local.u64 %r1, own;", 0b0000100},
                        {"cvta.param.u64 %r1, other;", 0b1001001},
                        {"mov.u64 %r1, 0;", 0b0000001}};
    for (const Case& each : all) {
        std::string body = std::string(each.address) + "\nmov.b64 %r2, 0;\n";
        for (unsigned i = 0; i < std::size(spaces); ++i) {
            body +=
                "isspacep." + std::string(spaces[i]) + " %p1, %r1;\n@%p1 add.u64 %r2, %r2, " + std::to_string(1u << i) + ";\n";
        }
        EXPECT_EQ(run_addresses(body + "st.global.u64 [%r0], %r2;", 1)[0], each.spaces) << each.address;
    }
}

TEST(AddressTest, MovesAddresses) {
    const auto words = run_addresses(
        "mov.u64 %r1, data+4;\nmov.b64 %r2, data;\nsub.u64 %r1, %r1, %r2;\nst.global.u64 [%r0], %r1;\n"
        "mov.u32 %w1, block+16;\nmov.u64 %r1, block;\nmov.b64 {%w2, _}, %r1;\nsub.u32 %w1, %w1, %w2;\nst.global.u32 [%r0+8], "
        "%w1;\n"
        "mov.u64 %r1, device;\nmov.b64 %r2, test;\nsetp.eq.u64 %p1, %r1, %r2;\nselp.u64 %r3, 1, 2, %p1;\nst.global.u64 [%r0+16], "
        "%r3;\n"
        "mov.u64 %r1, other;\nld.param.u64 %r2, [%r1];\nst.global.u64 [%r0+24], %r2;\n",
        4);
    EXPECT_EQ(words, (std::vector<std::uint64_t>{4, 16, 2, 77}));
}

}  // namespace
}  // namespace cubind::testing::move_tests
