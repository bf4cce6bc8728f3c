// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// What holds for all accesses to memory: the rows of the tables, faults, several threads of the host, and the stack.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "access_runner.hpp"
#include "ptx/handlers/families.hpp"

namespace cubind::testing::memory_rules_tests {

namespace {

using ::testing::HasSubstr;

std::string parts_of(const std::string& text, char separator, std::vector<std::string>& parts) {
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        if (end != begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return text;
}

// All texts of the modifiers of a row.
std::vector<std::string> texts_of(const sim::ptx::Form& form) {
    std::vector<std::string> groups;
    parts_of(std::string(form.modifiers), ' ', groups);
    std::vector<std::string> texts = {""};
    for (std::string group : groups) {
        std::vector<std::string> choices;
        if (group[0] == '[') {
            group = group.substr(1, group.size() - 2);
            choices.push_back("");
        }
        std::vector<std::string> alternatives;
        parts_of(group, '|', alternatives);
        choices.insert(choices.end(), alternatives.begin(), alternatives.end());
        std::vector<std::string> longer;
        for (const std::string& text : texts) {
            for (const std::string& choice : choices) longer.push_back(text + choice);
        }
        texts = std::move(longer);
    }
    return texts;
}

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

// The prefix of registers with the size of the last type of the modifiers.
std::string registers_for(const std::string& modifiers) {
    for (const char* const type : {"f16x2", "32"}) {
        if (modifiers.ends_with(type)) return "%r";
    }
    if (modifiers.ends_with("b128")) return "%q";
    return modifiers.ends_with("64") ? "%d" : "%h";
}

std::string operands_of(const sim::ptx::Form& form, const std::string& modifiers) {
    std::vector<std::string> specs;
    parts_of(std::string(form.operands), ' ', specs);
    const std::string name = registers_for(modifiers);
    std::string text;
    for (std::string spec : specs) {
        if (!text.empty()) text += ", ";
        if (spec[0] == '=') spec = spec.substr(1);
        if (spec == "m") {
            text += "[%d0]";
        } else if (spec == "b64") {
            text += "%d1";
        } else if (spec == "b32") {
            text += form.opcode == "alloca" ? "16" : "128";
        } else if (spec == "v" && (has(modifiers, ".v2") || has(modifiers, ".v4") || has(modifiers, ".v8"))) {
            const int length = has(modifiers, ".v2") ? 2 : has(modifiers, ".v4") ? 4 : 8;
            text += "{";
            for (int i = 0; i < length; ++i) text += (i != 0 ? ", " : "") + name + std::to_string(i);
            text += "}";
        } else {
            text += name + "0";
        }
    }
    return text;
}

TEST(MemoryFormsTest, HaveHandlers) {
    std::size_t count = 0;
    for (const sim::ptx::Forms& family : sim::ptx::families()) {
        for (const sim::ptx::Form& form : family) {
            static const char* const opcodes[] = {"ld",      "st",     "ldu",       "atom",        "red",
                                                  "membar",  "fence",  "prefetch",  "prefetchu",   "applypriority",
                                                  "discard", "alloca", "stacksave", "stackrestore"};
            if (std::ranges::find(opcodes, form.opcode) == std::end(opcodes)) continue;
            std::string text =
                ".version 9.1\n.target sm_100\n.address_size 64\n.visible .entry test() {\n.reg .b16 %h<8>;\n.reg .b32 %r<8>;\n"
                ".reg .b64 %d<8>;\n.reg .b128 %q<8>;\n";
            for (const std::string& modifiers : texts_of(form)) {
                text += std::string(form.opcode) + modifiers + " " + operands_of(form, modifiers) + ";\n";
                ++count;
            }
            sim::ptx::ReadResult reading = sim::ptx::read(text + "ret;\n}\n", 99990);
            ASSERT_EQ(reading.status, driver::CUDA_SUCCESS) << reading.problem;
            sim::ptx::Executable executable(reading.image.code, reading.image.version, reading.image.target,
                                            [](std::string_view) { return std::nullopt; });
            const auto& problems = executable.find_kernel("test")->kernel().problems;
            EXPECT_TRUE(problems.empty()) << form.modifiers << ": " << *problems[0];
        }
    }
    EXPECT_GT(count, 10000u);
}

/// An access that fails: what it does, the number of the thread that fails, and a part of the message.
struct Failure {
    Place place;
    std::string instruction;
    std::uint64_t offset;  ///< of thread 7
    driver::CUresult status;
    std::string message;
};

TEST(MemoryFaultTest, NamesThreadAndAddress) {
    const Place global{".global", "global", 64}, generic{"", "global", 64}, shared{".shared", "shared", 32},
        local{".local", "local", 64};
    const Place generic_shared{"", "shared", 64}, generic_local{"", "local", 64};
    const auto illegal = driver::CUDA_ERROR_ILLEGAL_ADDRESS;
    const auto misaligned = driver::CUDA_ERROR_MISALIGNED_ADDRESS;
    const std::uint64_t below = 0 - std::uint64_t{4};
    const Failure failures[] = {
        {global, "ld.global.b32 %v0, $A;", window_bytes, illegal, "global load of 4 bytes"},
        {global, "ld.global.b32 %v0, $A;", below, illegal, "is not within an allocation; nearest"},
        {global, "ld.global.v4.b32 {%v0,%v1,%v2,%v3}, $A;", window_bytes - 8, misaligned, "global load of 16 bytes"},
        {global, "st.global.b32 $A, %v0;", window_bytes, illegal, "global store of 4 bytes"},
        {global, "st.volatile.global.b32 $A, %v0;", 6, misaligned, "is misaligned"},
        {generic, "ld.b32 %v0, $A;", std::uint64_t{1} << 50, illegal, "global load"},
        {generic, "red.add.u32 $A, %v0;", window_bytes, illegal, "global atomic operation of 4 bytes"},
        {generic, "atom.cas.b32 %v0, $A, %v1, %v2;", 2, misaligned, "global atomic operation"},
        {shared, "ld.shared.b32 %v0, $A;", window_bytes, illegal, "is not within the 1024 bytes of shared memory"},
        {shared, "ld.shared.b32 %v0, $A;", below, illegal, "shared load of 4 bytes at address 0xfffffffc"},
        {shared, "st.shared.b16 $A, %v0;", 1, misaligned, "shared store of 2 bytes"},
        {shared, "atom.shared.add.u32 %v0, $A, %v1;", window_bytes, illegal, "shared atomic operation"},
        {generic_shared, "st.b32 $A, %v0;", window_bytes, illegal, "shared store of 4 bytes at address 0x400"},
        {local, "ld.local.b32 %v0, $A;", 1 << 20, illegal, "bytes of local memory"},
        {local, "ld.local.b32 %v0, $A;", below, illegal, "bytes of local memory"},
        {generic_local, "atom.add.u32 %v0, $A, %v1;", 0, driver::CUDA_ERROR_INVALID_ADDRESS_SPACE, "local atomic operation"},
        {global, "discard.global.L2 $A, 128;", 64, misaligned, "global discard of 128 bytes"},
        {global, "applypriority.global.L2::evict_normal $A, 128;", window_bytes, illegal, "global applypriority"},
    };
    for (const Failure& each : failures) {
        for (const std::uint32_t mask : {~0u, 0x80u, 0xf0f0f0f0u}) {
            for (const bool is_alone : {true, false}) {
                AccessRunner runner(each.place, 32, each.instruction);
                AccessInput input;
                input.mask = mask;
                const bool is_first = each.status == driver::CUDA_ERROR_INVALID_ADDRESS_SPACE || !is_alone;
                for (unsigned lane = 0; lane < threads_of_warp; ++lane) input.offsets[lane] = 0;
                input.offsets[7] = each.offset;
                if (is_first && !is_alone) input.offsets.assign(threads_of_warp, each.offset);
                const AccessOutput output = runner.run(input);
                EXPECT_EQ(output.result.status, each.status) << each.instruction << output.result.problem;
                EXPECT_THAT(output.result.problem, HasSubstr(each.message));
                const unsigned lane = is_first ? static_cast<unsigned>(std::countr_zero(mask)) : 7;
                EXPECT_THAT(output.result.problem, HasSubstr("thread (" + std::to_string(lane) + ", 0, 0)")) << each.instruction;
                EXPECT_THAT(output.result.problem, HasSubstr("kernel test, block (0, 0, 0)"));
                EXPECT_THAT(output.result.problem, HasSubstr("PTX line "));
            }
        }
    }
}

constexpr const char* header = ".version 8.8\n.target sm_90\n.address_size 64\n";

TEST(MemoryFaultTest, ProtectsMemoryThatIsReadOnly) {
    for (const char* const instruction : {"st.global.b32 [%d], 1;", "st.b32 [%d], 1;", "red.global.add.u32 [%d], 1;"}) {
        KernelRunner runner(std::string(header) +
                            ".visible .entry test(.param .u64 in) {\n.reg .b64 %d;\n.reg .b32 %r;\n"
                            "ld.param.u64 %d, [in];\nld.global.b32 %r, [%d];\n" +
                            instruction + "\nret;\n}\n");
        const std::uint64_t address = runner.memory.allocate(64);
        runner.memory.make_read_only(address);
        const auto result = runner.run("test", {1, 1, 1}, {32, 1, 1}, {address});
        EXPECT_EQ(result.status, driver::CUDA_ERROR_ILLEGAL_ADDRESS) << instruction;
        EXPECT_THAT(result.problem, HasSubstr("read-only"));
    }
    KernelRunner runner(std::string(header) +
                        ".visible .entry test(.param .u64 in) {\n.reg .b64 %d;\nmov.b64 %d, in;\n"
                        "cvta.param.u64 %d, %d;\nld.b64 %d, [%d];\nmov.b64 %d, in;\ncvta.param.u64 %d, %d;\n"
                        "st.b32 [%d], 1;\nret;\n}\n");
    const auto result = runner.run("test", {1, 1, 1}, {32, 1, 1}, {5});
    EXPECT_THAT(result.problem, HasSubstr("parameter store of 4 bytes at address 0x"));
}

// Compilers load four numbers at once, although a program uses three of them and asks for memory for these only.
TEST(MemoryFaultTest, AllowsWideAccessesToTheEndOfSharedMemory) {
    for (const std::uint64_t offset : {16u, 32u}) {
        KernelRunner runner(std::string(header) +
                            ".extern .shared .align 16 .b8 s[];\n"
                            ".visible .entry test(.param .u64 out, .param .u64 offset) {\n.reg .b64 %d<4>;\n.reg .b32 %r<4>;\n"
                            "ld.param.u64 %d0, [out];\nld.param.u64 %d1, [offset];\nmov.u64 %d2, s;\nst.shared.b32 [%d2+24], 7;\n"
                            "add.s64 %d2, %d2, %d1;\nld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%d2];\n"
                            "st.global.u32 [%d0], %r2;\nret;\n}\n");
        const std::uint64_t out = runner.memory.allocate(4);
        const auto result = runner.run("test", {1, 1, 1}, {1, 1, 1}, {out, offset}, 28);
        if (offset == 16) {
            EXPECT_EQ(result.status, driver::CUDA_SUCCESS) << result.problem;
            EXPECT_EQ(runner.memory.read<std::uint32_t>(out, 1)[0], 7u);
        } else {
            EXPECT_EQ(result.status, driver::CUDA_ERROR_ILLEGAL_ADDRESS);
            EXPECT_THAT(result.problem, HasSubstr("is not within the 32 bytes of shared memory"));
        }
    }
}

// Each thread sees the window of its own address.
TEST(LoadTest, ReadsGenericAddressesOfSeveralSpaces) {
    KernelRunner runner(
        std::string(header) +
        ".visible .entry test(.param .u64 out) {\n.reg .pred %p;\n.reg .b64 %d<8>;\n.reg .b32 %r<4>;\n"
        ".shared .align 8 .b8 s[512];\n.local .align 8 .b8 l[16];\nmov.u32 %r0, %tid.x;\nld.param.u64 %d0, [out];\n"
        "mul.wide.u32 %d1, %r0, 8;\nadd.s64 %d2, %d0, %d1;\nmov.u64 %d3, s;\nadd.s64 %d3, %d3, %d1;\n"
        "cvta.shared.u64 %d3, %d3;\nmov.u64 %d4, l;\ncvta.local.u64 %d4, %d4;\n"
        "st.b32 [%d3], 100;\nst.b32 [%d4+4], %r0;\nst.b32 [%d2], 300;\n"
        "setp.lt.u32 %p, %r0, 20;\nselp.b64 %d5, %d3, %d2, %p;\nadd.s64 %d6, %d4, 4;\nsetp.lt.u32 %p, %r0, 10;\n"
        "selp.b64 %d5, %d6, %d5, %p;\nld.u32 %r1, [%d5];\nmov.u32 %r2, 7;\nst.u32 [%d5], %r2;\nld.u32 %r2, [%d5];\n"
        "add.u32 %r1, %r1, %r2;\nbar.sync 0;\nst.global.u32 [%d2], %r1;\nret;\n}\n");
    const std::uint64_t out = runner.memory.allocate(256);
    const auto result = runner.run("test", {1, 1, 1}, {32, 1, 1}, {out});
    ASSERT_EQ(result.status, driver::CUDA_SUCCESS) << result.problem;
    const auto values = runner.memory.read<std::uint64_t>(out, 32);
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(values[i], 7 + (i < 10 ? i : i < 20 ? 100 : 300)) << i;
}

// Blocks on four threads of the host, and one more thread, increment the same numbers.
TEST(AtomicTest, CountsAllThreads) {
    for (const char* const update :
         {"red.global.add.u32 [%d0], 1;", "atom.global.add.u32 %r1, [%d0], 1;", "atom.global.inc.u32 %r1, [%d0], -1;",
          "LOOP:\nld.relaxed.gpu.global.u32 %r1, [%d0];\nadd.u32 %r2, %r1, 1;\natom.global.cas.b32 %r3, [%d0], %r1, %r2;\n"
          "setp.ne.s32 %p, %r1, %r3;\n@%p bra LOOP;"}) {
        for (const unsigned stride : {0u, 4u}) {
            KernelRunner runner(std::string(header) +
                                ".visible .entry test(.param .u64 out) {\n.reg .pred %p;\n.reg .b64 %d<2>;\n"
                                ".reg .b32 %r<4>;\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d1, %r0, " +
                                std::to_string(stride) + ";\nld.param.u64 %d0, [out];\nadd.s64 %d0, %d0, %d1;\n" + update +
                                "\nret;\n}\n");
            runner.prototype.workers = 4;
            runner.is_compared = false;  // the thread of the host takes part
            const std::uint64_t out = runner.memory.allocate(256);
            constexpr unsigned blocks = 200, own = 20000;
            auto* const first = reinterpret_cast<std::uint32_t*>(out);
            std::thread host([&] {
                for (unsigned i = 0; i < own; ++i) std::atomic_ref(*first).fetch_add(1);
            });
            const auto result = runner.run("test", {blocks, 1, 1}, {64, 1, 1}, {out});
            host.join();
            ASSERT_EQ(result.status, driver::CUDA_SUCCESS) << result.problem;
            EXPECT_EQ(*first, own + blocks * (stride == 0 ? 64 : 1)) << update;
        }
    }
}

// A block waits for a value that another block releases after it stored data.
TEST(FenceTest, OrdersAccessesOfBlocks) {
    for (const char* const release : {"st.global.u32 [%d0+128], %r1;\nfence.acq_rel.gpu;\nst.relaxed.gpu.global.u32 [%d0], 1;",
                                      "st.global.u32 [%d0+128], %r1;\nst.release.gpu.global.u32 [%d0], 1;",
                                      "st.global.u32 [%d0+128], %r1;\nmembar.gl;\natom.global.exch.b32 %r2, [%d0], 1;"}) {
        KernelRunner runner(std::string(header) +
                            ".visible .entry test(.param .u64 out) {\n.reg .pred %p;\n.reg .b64 %d<2>;\n"
                            ".reg .b32 %r<4>;\nld.param.u64 %d0, [out];\nmov.u32 %r0, %ctaid.x;\nmov.u32 %r1, 42;\n"
                            "setp.ne.u32 %p, %r0, 1;\n@%p bra WAIT;\n" +
                            release +
                            "\nret;\nWAIT:\nld.acquire.gpu.global.u32 %r2, [%d0];\nsetp.eq.u32 %p, %r2, 0;\n@%p bra WAIT;\n"
                            "ld.global.u32 %r3, [%d0+128];\nst.global.u32 [%d0+64], %r3;\nret;\n}\n");
        for (const unsigned workers : {1u, 2u}) {
            runner.prototype.workers = workers;
            const std::uint64_t out = runner.memory.allocate(256);
            const auto result = runner.run("test", {2, 1, 1}, {32, 1, 1}, {out});
            ASSERT_EQ(result.status, driver::CUDA_SUCCESS) << result.problem;
            EXPECT_EQ(runner.memory.read<std::uint32_t>(out + 64, 1)[0], 42u);
            runner.memory.free(out);
        }
    }
}

TEST(FenceTest, AcceptsInvalidAddressesOfPrefetches) {
    KernelRunner runner(std::string(header) +
                        ".visible .entry test() {\n.reg .b64 %d;\nmov.b64 %d, 3;\nprefetch.global.L2 [%d];\n"
                        "prefetch.L1 [%d];\nprefetchu.L1 [%d];\nret;\n}\n");
    runner.is_compared = false;  // ptxas 13.0 crashes
    EXPECT_EQ(runner.run("test", {1, 1, 1}, {32, 1, 1}, {}).status, driver::CUDA_SUCCESS);
}

// Each thread allocates `size` bytes, then 64 or again `size` bytes, and returns the sum of a value in both. Also returns by how
// much the top of the stack differs after both were freed.
TEST(StackTest, AllocatesForEachThread) {
    const std::string text =
        std::string(header) +
        ".visible .entry test(.param .u64 out, .param .u64 size) {\n.reg .pred %p;\n.reg .b64 %d<8>;\n"
        ".reg .b32 %r<4>;\nmov.u32 %r0, %tid.x;\nld.param.u64 %d0, [size];\nstacksave.u64 %d1;\n"
        "alloca.u64 %d2, %d0;\nst.local.u32 [%d2], %r0;\nsetp.lt.u32 %p, %r0, 9;\n@%p bra SMALL;\n"
        "alloca.u64 %d3, 64, 64;\nst.local.u32 [%d3+60], 1000;\nbra JOIN;\nSMALL:\nalloca.u64 %d3, %d0, 16;\n"
        "st.local.u32 [%d3+60], 2000;\nJOIN:\nld.local.u32 %r1, [%d2];\nld.local.u32 %r2, [%d3+60];\n"
        "add.u32 %r1, %r1, %r2;\nstackrestore.u64 %d1;\nstacksave.u64 %d4;\nsub.s64 %d4, %d4, %d1;\n"
        "ld.param.u64 %d5, [out];\nmul.wide.u32 %d6, %r0, 16;\nadd.s64 %d5, %d5, %d6;\n"
        "st.global.u32 [%d5], %r1;\nst.global.u64 [%d5+8], %d4;\nret;\n}\n";
    KernelRunner runner(text);
    const std::uint64_t out = runner.memory.allocate(512);
    auto result = runner.run("test", {1, 1, 1}, {32, 1, 1}, {out, 64});
    ASSERT_EQ(result.status, driver::CUDA_SUCCESS) << result.problem;
    const auto values = runner.memory.read<std::uint64_t>(out, 64);
    for (unsigned i = 0; i < 32; ++i) {
        EXPECT_EQ(values[2 * i], i + (i < 9 ? 2000 : 1000)) << i;
        EXPECT_EQ(values[2 * i + 1], 0u) << "the stack is as before";
    }
    result = runner.run("test", {1, 1, 1}, {32, 1, 1}, {out, 1 << 20});
    EXPECT_EQ(result.status, driver::CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(result.problem, HasSubstr("alloca of 1048576 bytes"));
    result = runner.run("test", {1, 1, 1}, {32, 1, 1}, {out, ~std::uint64_t{0}});
    EXPECT_EQ(result.status, driver::CUDA_ERROR_ILLEGAL_ADDRESS);
}

// Calls pass arguments and results in local memory.
TEST(StackTest, PassesParametersOfFunctions) {
    KernelRunner runner(
        std::string(header) +
        ".func (.param .b32 r) twice(.param .align 8 .b8 a[16]) {\n.reg .b32 %r<3>;\nld.param.b32 %r0, [a+4];\n"
        "ld.param.b32 %r1, [a+8];\nadd.s32 %r0, %r0, %r1;\nst.param.b32 [r], %r0;\nret;\n}\n"
        ".visible .entry test(.param .u64 out) {\n.reg .b64 %d<2>;\n.reg .b32 %r<3>;\nmov.u32 %r0, %tid.x;\n{\n"
        ".param .align 8 .b8 p[16];\n.param .b32 q;\nst.param.b32 [p+4], %r0;\nst.param.v2.b32 [p+8], {%r0, 5};\n"
        "call.uni (q), twice, (p);\nld.param.b32 %r1, [q];\n}\nld.param.u64 %d0, [out];\nmul.wide.u32 %d1, %r0, 4;\n"
        "add.s64 %d0, %d0, %d1;\nst.global.u32 [%d0], %r1;\nret;\n}\n");
    const std::uint64_t out = runner.memory.allocate(128);
    const auto result = runner.run("test", {1, 1, 1}, {32, 1, 1}, {out});
    ASSERT_EQ(result.status, driver::CUDA_SUCCESS) << result.problem;
    const auto values = runner.memory.read<std::uint32_t>(out, 32);
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(values[i], 2 * i);
}

}  // namespace

}  // namespace cubind::testing::memory_rules_tests
