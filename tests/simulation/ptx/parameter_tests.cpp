// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores of parameters: those of a kernel, and those that functions pass.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernel_runner.hpp"

namespace cubind::testing::parameter_tests {

namespace {

struct Type {
    std::string name;
    unsigned bytes;
    bool is_signed = false;
};

const std::vector<Type>& types() {
    static const std::vector<Type> all = {{".b8", 1},        {".u8", 1},  {".s8", 1, true}, {".b16", 2}, {".u16", 2},
                                          {".s16", 2, true}, {".b32", 4}, {".u32", 4},      {".s32", 4}, {".f32", 4},
                                          {".b64", 8},       {".u64", 8}, {".s64", 8},      {".f64", 8}};
    return all;
}

unsigned register_bytes(const Type& type) {
    return std::max(2u, type.bytes);
}

std::string vector_of(unsigned length) {
    if (length == 1) return "%v0";
    std::string text = "{%v0";
    for (unsigned i = 1; i < length; ++i) text += ", %v" + std::to_string(i);
    return text + "}";
}

// Returns the suffix of an instruction with vectors of this length.
std::string suffix(const Type& type, unsigned length) {
    return (length == 1 ? "" : ".v" + std::to_string(length)) + type.name + ' ';
}

// Stores the registers %v0 to %v3 one after the other at the address in the parameter `out`.
std::string store_registers(const Type& type, unsigned length) {
    std::string text = "ld.param.u64 %address, [out];\n";
    for (unsigned i = 0; i < length; ++i) {
        text += "st.global.b" + std::to_string(8 * register_bytes(type)) + " [%address+" + std::to_string(8 * i) + "], %v" +
                std::to_string(i) + ";\n";
    }
    return text + "ret;\n}\n";
}

// Returns what a register has after a load, in the lower bytes of a word.
std::uint64_t loaded(const std::byte* from, const Type& type) {
    std::uint64_t value = 0;
    std::memcpy(&value, from, type.bytes);
    const bool is_negative = type.is_signed && (value >> (8 * type.bytes - 1) & 1) != 0;
    if (is_negative) value |= ~std::uint64_t{0} << 8 * type.bytes;
    const unsigned bits = 8 * register_bytes(type);
    return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

constexpr std::size_t words = 16;

/// Runs a kernel with the parameters `out`, `unused`, and 128 bytes in `values`, and returns the first words of the output.
std::vector<std::uint64_t> run(const Type& type, const std::string& functions, const std::string& body,
                               const std::vector<std::uint64_t>& values) {
    KernelRunner runner(".version 8.8\n.target sm_90\n.address_size 64\n" + functions +
                        ".visible .entry test(.param .u64 out, .param .u64 unused, .param .align 16 .b8 values[128]) {\n"
                        ".reg .b64 %address;\n.reg .b" +
                        std::to_string(8 * register_bytes(type)) + " %v<4>;\n" + body);
    const std::uint64_t out = runner.memory.allocate(4 * sizeof(std::uint64_t));
    std::vector<std::uint64_t> arguments = {out, 0};
    arguments.insert(arguments.end(), values.begin(), values.end());
    const sim::ptx::GridResult result = runner.run("test", {1, 1, 1}, {1, 1, 1}, arguments);
    EXPECT_EQ(result.status, driver::CUDA_SUCCESS) << body << result.problem;
    return runner.memory.read<std::uint64_t>(out, 4);
}

class ParameterTest : public ::testing::Test {
protected:
    ParameterTest() {
        std::mt19937_64 random(1);
        for (std::uint64_t& each : values_) each = random();
    }
    // The expected output for a vector at an offset in the values.
    std::vector<std::uint64_t> expected(const Type& type, unsigned length, std::size_t offset) const {
        std::vector<std::uint64_t> result(4);
        for (unsigned i = 0; i < length; ++i) result[i] = loaded(bytes() + offset + i * type.bytes, type);
        return result;
    }
    const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(values_.data()); }

    std::vector<std::uint64_t> values_ = std::vector<std::uint64_t>(words);
};

TEST_F(ParameterTest, AreLoadedByKernels) {
    for (const Type& type : types()) {
        for (const unsigned length : {1u, 2u, 4u}) {
            const std::size_t size = type.bytes * length;
            if (size > 16) continue;
            for (const std::size_t offset : {std::size_t{0}, 3 * size, 128 - size}) {
                const std::string load =
                    "ld.param" + suffix(type, length) + vector_of(length) + ", [values+" + std::to_string(offset) + "];\n";
                EXPECT_EQ(run(type, "", load + store_registers(type, length), values_), expected(type, length, offset)) << load;
            }
        }
    }
}

TEST_F(ParameterTest, ArePassedToFunctionsAndBack) {
    for (const Type& type : types()) {
        for (const unsigned length : {1u, 2u, 4u}) {
            if (type.bytes * length > 16) continue;
            const std::string bits = std::to_string(8 * register_bytes(type));
            const std::string access = suffix(type, length), registers = vector_of(length);
            const std::string function =
                ".func (.param .align 16 .b8 result[16]) pass(.param .align 16 .b8 given[16]) {\n.reg .b" + bits +
                " %v<4>;\nld.param" + access + registers + ", [given];\nst.param" + access + "[result], " + registers +
                ";\nret;\n}\n";
            const std::string body = "ld.param" + access + registers +
                                     ", [values];\n{\n.param .align 16 .b8 to[16];\n"
                                     ".param .align 16 .b8 from[16];\nst.param" +
                                     access + "[to], " + registers + ";\ncall (from), pass, (to);\nld.param" + access +
                                     registers + ", [from];\n}\n";
            EXPECT_EQ(run(type, function, body + store_registers(type, length), values_), expected(type, length, 0)) << function;
        }
    }
}

}  // namespace

}  // namespace cubind::testing::parameter_tests
