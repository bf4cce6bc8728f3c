// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>

#include "kernel_runner.hpp"

/// Tests of single instructions: random values and special ones go through the executor and through an oracle that shares no code
/// with it.
namespace cubind::testing {

/// Returns special values of a type, and random bits, `count` in all.
template <class Value>
std::vector<Value> values_for_tests(std::size_t count, unsigned seed) {
    using Bits = std::conditional_t<sizeof(Value) == 1, std::uint8_t,
                                    std::conditional_t<sizeof(Value) == 2, std::uint16_t,
                                                       std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>>>;
    std::vector<Bits> bits;
    const auto add = [&](auto value) { bits.push_back(std::bit_cast<Bits>(static_cast<Value>(value))); };
    if constexpr (std::is_floating_point_v<Value>) {
        using Limits = std::numeric_limits<Value>;
        for (const Value value :
             {Value{0}, Value{1}, Value{2}, Value{0.5}, Value{3}, Limits::min(), Limits::max(), Limits::denorm_min(),
              Limits::infinity(), Limits::quiet_NaN(), Limits::epsilon(), Limits::min() / 2, Value{1e5}, Value{3e9}}) {
            add(value);
            add(-value);
        }
    } else {
        for (const Bits value :
             {Bits{0}, Bits{1}, Bits{2}, Bits{31}, Bits{32}, Bits{33}, Bits{63}, Bits{64}, static_cast<Bits>(~Bits{0}),
              static_cast<Bits>(~Bits{0} >> 1), static_cast<Bits>((~Bits{0} >> 1) + 1), static_cast<Bits>(~Bits{0} - 1)}) {
            bits.push_back(value);
        }
    }
    std::mt19937_64 random(seed);
    const std::size_t special = bits.size();
    while (bits.size() < count) {
        const std::uint64_t number = random();
        // Special values are at random positions, so that sources combine them with random ones and with each other.
        bits.push_back(number % 4 == 0 ? bits[number / 4 % special]
                                       : static_cast<Bits>(random() >> (number / 8 % (8 * sizeof(Bits)))));
    }
    std::vector<Value> values;
    for (const Bits each : bits) values.push_back(std::bit_cast<Value>(each));
    return values;
}

/// The name of a type of untyped bits, as wide as a value.
template <class Value>
std::string bits_type() {
    return ".b" + std::to_string(8 * sizeof(Value));
}

/// Returns PTX that runs `instructions` for each element: %d is the result, %a, %b, %c and %e are the sources, %p, %q predicates,
/// %t, %u registers of 32 bits, %x and %y of 64 bits. If `is_divergent`, only threads with an odd index run them; the others keep
/// 0.
template <class Result, class... Source>
std::string instruction_kernel(const std::string& instructions, bool is_divergent, const std::string& version) {
    static const char* const names[] = {"%a", "%b", "%c", "%e"};
    const auto register_type = [](std::size_t bytes) { return ".b" + std::to_string(bytes == 1 ? 16 : 8 * bytes); };
    std::string text =
        ".version " + version + "\n.target sm_90\n.address_size 64\n.visible .entry test(.param .u64 out, .param .u64 count";
    std::size_t number = 0;
    for ([[maybe_unused]] const std::size_t size : {sizeof(Source)...}) text += ", .param .u64 in" + std::to_string(number++);
    text +=
        ") {\n.reg .pred %p, %q, %done, %even;\n.reg .b32 %t, %u, %index, %threads, %block;\n.reg .b64 %x, %y, %address, %wide, "
        "%count;\n";
    text += ".reg " + register_type(sizeof(Result)) + " %d;\n";
    number = 0;
    for (const std::size_t size : {sizeof(Source)...}) text += ".reg " + register_type(size) + " " + names[number++] + ";\n";
    text +=
        "mov.u32 %index, %tid.x;\nmov.u32 %threads, %ntid.x;\nmov.u32 %block, %ctaid.x;\nmad.lo.s32 %index, %block, %threads, "
        "%index;\n"
        "mul.wide.u32 %wide, %index, 1;\nld.param.u64 %count, [count];\nsetp.ge.u64 %done, %wide, %count;\n@%done bra END;\n";
    number = 0;
    for (const std::size_t size : {sizeof(Source)...}) {
        text += "ld.param.u64 %address, [in" + std::to_string(number) + "];\nmul.wide.u32 %wide, %index, " +
                std::to_string(size) + ";\nadd.s64 %address, %address, %wide;\nld.global.b" + std::to_string(8 * size) + " " +
                names[number] + ", [%address];\n";
        ++number;
    }
    text += "mov" + register_type(sizeof(Result)) + " %d, 0;\n";
    if (is_divergent) text += "mul.lo.u32 %t, %index, -2147483648;\nsetp.eq.u32 %even, %t, 0;\n@%even bra STORE;\n";
    text += instructions + "\nSTORE:\nld.param.u64 %address, [out];\nmul.wide.u32 %wide, %index, " +
            std::to_string(sizeof(Result)) + ";\nadd.s64 %address, %address, %wide;\nst.global.b" +
            std::to_string(8 * sizeof(Result)) + " [%address], %d;\nEND:\nret;\n}\n";
    return text;
}

/// Runs instructions for each element of the sources, which have the same size, and returns the results.
template <class Result, class... Source>
std::vector<Result> run_instruction(const std::string& instructions, bool is_divergent, const std::string& version,
                                    const std::vector<Source>&... sources) {
    const std::size_t count = std::get<0>(std::tie(sources...)).size();
    KernelRunner runner(instruction_kernel<Result, Source...>(instructions, is_divergent, version));
    // The value of a thread that takes no part in a shuffle is not specified.
    runner.is_compared = !is_divergent || instructions.find("shfl") == std::string::npos;
    const std::uint64_t out = runner.memory.allocate(count * sizeof(Result));
    const auto blocks = static_cast<unsigned>((count + 127) / 128);
    const sim::ptx::GridResult result =
        runner.run("test", {blocks, 1, 1}, {128, 1, 1}, {out, count, runner.memory.add(sources)...});
    EXPECT_EQ(result.status, driver::CUDA_SUCCESS) << instructions << ": " << result.problem;
    return runner.memory.read<Result>(out, count);
}

/// Compares the bits of the executor's results with those of the oracle, a function of the sources.
template <class Result, class... Source, class Oracle>
void expect_instruction(const std::string& instructions, Oracle oracle, const std::vector<Source>&... sources) {
    const std::string version = "8.8";
    for (const bool is_divergent : {false, true}) {
        const std::vector<Result> results = run_instruction<Result>(instructions, is_divergent, version, sources...);
        int shown = 0;
        for (std::size_t i = 0; i < results.size(); ++i) {
            const Result expected = is_divergent && i % 2 == 0 ? Result{} : static_cast<Result>(oracle(sources[i]...));
            if (std::memcmp(&results[i], &expected, sizeof expected) == 0) continue;
            const auto show = [](const auto& value) {
                std::uint64_t bits = 0;
                std::memcpy(&bits, &value, sizeof value);
                char text[20];
                std::snprintf(text, sizeof text, "%0*llx ", 2 * static_cast<int>(sizeof value),
                              static_cast<unsigned long long>(bits));
                return std::string(text);
            };
            ADD_FAILURE() << instructions << (is_divergent ? " (divergent)" : "") << " of " << (show(sources[i]) + ...) << "is "
                          << show(results[i]) << "instead of " << show(expected);
            if (++shown == 4) return;
        }
    }
}

/// Tests an instruction with values of the sources' types. The seeds depend on the positions of the sources, and not on the order
/// in which a compiler evaluates arguments, because recorded results belong to these values.
template <class Result, class... Source, class Oracle>
void expect_instruction_for_all(const std::string& instructions, Oracle oracle) {
    [&]<std::size_t... position>(std::index_sequence<position...>) {
        expect_instruction<Result>(instructions, oracle,
                                   values_for_tests<Source>(2048, static_cast<unsigned>(sizeof...(Source) - position))...);
    }
    (std::index_sequence_for<Source...>());
}

}  // namespace cubind::testing
