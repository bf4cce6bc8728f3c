// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "bit_oracle.hpp"

namespace cubind::testing::carry_tests {
namespace {

using namespace oracle;

// What an instruction of the family adds: two unsigned numbers, and a carry if the instruction does not read the flag. A
// difference is the sum with the complement, whose carry becomes the flag, as on an H200.
template <class Type>
struct Terms {
    Number first;
    Number second;
    bool carry = false;

    static Number without_sign(Number value) { return extend(cut<std::make_unsigned_t<Type>>(value)); }
    static Terms of(const std::string& name, Type a, Type b, Type c) {
        const Number product = multiply(extend(a), extend(b));
        if (name.starts_with("add")) return {without_sign(extend(a)), without_sign(extend(b))};
        if (name.starts_with("sub")) return {without_sign(extend(a)), without_sign(~extend(b)), true};
        return {without_sign(name.find(".hi") != std::string::npos ? product >> 8 * sizeof(Type) : product),
                without_sign(extend(c))};
    }
};

template <class Type>
struct Outcome {
    Type result;
    bool carry;
};

template <class Type>
Outcome<Type> run(const std::string& name, Type a, Type b, Type c, bool carry) {
    const Terms<Type> terms = Terms<Type>::of(name, a, b, c);
    const bool reads_carry = name.find("c.") != std::string::npos && name.find("c.") < 5 && name[3] == 'c';
    const Number sum = oracle::add(terms.first, terms.second, reads_carry ? carry : terms.carry);
    return {cut<Type>(sum), bit(sum, 8 * sizeof(Type))};
}

// Each instruction runs after one that sets the flag for some of the threads. The flag that it leaves is read back.
template <class Type>
void expect_carry(const std::string& name, bool has_product) {
    const std::string text = name + type_name<Type>() + (has_product ? " %d, %a, %b, %c;\n" : " %d, %a, %b;\n");
    const std::string set_flag = "xor.b32 %t, %e, -1;\nadd.cc.u32 %u, %t, 1;\n";  // the flag is set if %e is 0
    const auto flags = [] {
        std::vector<std::uint32_t> all;
        for (std::uint32_t i = 0; i < 384; ++i) all.push_back(i / 3 % 2);
        return all;
    }();
    const auto a = values_for_tests<Type>(384, 1);
    const auto b = values_for_tests<Type>(384, 2);
    const auto c = values_for_tests<Type>(384, 3);
    expect_instruction<Type>(
        set_flag + text,
        [&](Type x, Type y, Type z, std::uint32_t flag) { return run<Type>(name + '.', x, y, z, flag == 0).result; }, a, b, c,
        flags);
    const bool sets_carry = name.find(".cc") != std::string::npos;
    expect_instruction<std::uint32_t>(
        ".reg " + bits_type<Type>() + " %r;\n" + set_flag + name + type_name<Type>() +
            (has_product ? " %r, %a, %b, %c;\n" : " %r, %a, %b;\n") + "addc.u32 %d, 0, 0;",
        [&](Type x, Type y, Type z, std::uint32_t flag) {
            return (sets_carry ? run<Type>(name + '.', x, y, z, flag == 0).carry : flag == 0) ? 1u : 0u;
        },
        a, b, c, flags);
}

TEST(CarryTest, AddsWithTheFlag) {
    for_types<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>([]<class Type>() {
        for (const char* const name : {"add.cc", "addc.cc", "addc", "sub.cc", "subc.cc", "subc"}) expect_carry<Type>(name, false);
        for (const char* const name : {"mad.lo.cc", "madc.lo.cc", "madc.lo", "mad.hi.cc", "madc.hi.cc", "madc.hi"}) {
            expect_carry<Type>(name, true);
        }
    });
    for_types<std::uint16_t, std::int16_t>([]<class Type>() {
        expect_carry<Type>("addc", false);
        expect_carry<Type>("subc", false);
        expect_carry<Type>("madc.lo", true);
    });
}

TEST(CarryTest, MultipliesNumbersOf64BitsByWords) {
    const std::string text =
        "mov.b64 {%t, %u}, %a;\n.reg .b32 %v, %w, %r0, %r1, %r2, %r3;\nmov.b64 {%v, %w}, %b;\n"
        "mul.lo.u32 %r0, %t, %v;\nmul.hi.u32 %r1, %t, %v;\n"
        "mad.lo.cc.u32 %r1, %t, %w, %r1;\nmadc.hi.u32 %r2, %t, %w, 0;\n"
        "mad.lo.cc.u32 %r1, %u, %v, %r1;\nmadc.hi.cc.u32 %r2, %u, %v, %r2;\nmadc.hi.u32 %r3, %u, %w, 0;\n"
        "mad.lo.cc.u32 %r2, %u, %w, %r2;\naddc.u32 %r3, %r3, 0;\n"
        "mov.b64 %d, {%r2, %r3};\nmov.b64 %x, {%r0, %r1};\nxor.b64 %d, %d, %x;";
    expect_instruction_for_all<std::uint64_t, std::uint64_t, std::uint64_t>(text, [](std::uint64_t a, std::uint64_t b) {
        const Number product = multiply(extend(a), extend(b));
        return cut<std::uint64_t>(product) ^ cut<std::uint64_t>(product, 64);
    });
}

TEST(CarryTest, LeavesTheFlagOfInactiveThreads) {
    // Threads whose %a is odd run a second addition, which clears their flag.
    const std::string text =
        "add.cc.u32 %t, %b, %b;\nand.b32 %u, %a, 1;\nsetp.ne.u32 %p, %u, 0;\n@%p add.cc.u32 %t, 0, 0;\naddc.u32 %d, 0, 0;";
    expect_instruction_for_all<std::uint32_t, std::uint32_t, std::uint32_t>(
        text, [](std::uint32_t a, std::uint32_t b) { return a % 2 == 0 && b >= 0x80000000 ? 1u : 0u; });
}

}  // namespace
}  // namespace cubind::testing::carry_tests
