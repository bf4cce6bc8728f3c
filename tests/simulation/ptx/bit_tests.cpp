// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "bit_oracle.hpp"

namespace cubind::testing::bit_tests {
namespace {

using namespace oracle;

using Word = std::uint32_t;
constexpr Word not_found = ~Word{0};

template <class Type>
constexpr int width = 8 * static_cast<int>(sizeof(Type));

template <class Type>
std::string bits_name() {
    return ".b" + std::to_string(width<Type>);
}

TEST(BitInstructionTest, CountsAndReversesBits) {
    for_types<std::uint32_t, std::uint64_t>([]<class Type>() {
        expect_instruction_for_all<Word, Type>("popc" + bits_name<Type>() + " %d, %a;", [](Type a) {
            Word count = 0;
            for (; a != 0; a /= 2) count += static_cast<Word>(a % 2);
            return count;
        });
        expect_instruction_for_all<Word, Type>("clz" + bits_name<Type>() + " %d, %a;", [](Type a) {
            Word count = width<Type>;
            for (; a != 0; a /= 2) --count;
            return count;
        });
        expect_instruction_for_all<Type, Type>("brev" + bits_name<Type>() + " %d, %a;", [](Type a) {
            Type result = 0;
            for (int i = 0; i < width<Type>; ++i, a /= 2) result = static_cast<Type>(result * 2 + a % 2);
            return result;
        });
    });
}

TEST(BitInstructionTest, FindsTheHighestBit) {
    for_types<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>([]<class Type>() {
        const auto find = [](Type a) {
            const Number value = extend(a);
            for (int i = width<Type> - 1; i >= 0; --i) {
                if (bit(value, i) != (a < 0)) return static_cast<Word>(i);
            }
            return not_found;
        };
        expect_instruction_for_all<Word, Type>("bfind" + type_name<Type>() + " %d, %a;", find);
        expect_instruction_for_all<Word, Type>("bfind.shiftamt" + type_name<Type>() + " %d, %a;", [find](Type a) {
            const Word position = find(a);
            return position == not_found ? not_found : static_cast<Word>(width<Type>) - 1 - position;
        });
    });
}

Word find_nth(Word mask, Word base, std::int32_t offset) {
    const int step = offset < 0 ? -1 : 1;
    const std::int64_t wanted = offset == 0 ? 1 : std::int64_t{step} * offset;
    std::int64_t found = 0;
    if (offset == std::numeric_limits<std::int32_t>::min()) return 0;
    if (base > 31) return not_found;
    for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
        if (bit(mask, i) && ++found == wanted) return static_cast<Word>(i);
        if (offset == 0) break;
    }
    return not_found;
}

TEST(BitInstructionTest, FindsTheNthSetBit) {
    expect_instruction_for_all<Word, Word, Word, std::int32_t>("fns.b32 %d, %a, %b, %c;", find_nth);
    std::vector<Word> masks;
    std::vector<Word> bases;
    std::vector<std::int32_t> offsets;
    std::mt19937 random(3);
    for (int i = 0; i < 20000; ++i) {
        masks.push_back(static_cast<Word>(random()));
        bases.push_back(static_cast<Word>(random() % 34));
        offsets.push_back(static_cast<std::int32_t>(random() % 45) - 22);
    }
    expect_instruction<Word>("fns.b32 %d, %a, %b, %c;", find_nth, masks, bases, offsets);
}

// Amounts, positions and lengths about the widths of registers, and larger ones.
std::vector<Word> amounts(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Word> all;
    while (all.size() < count) {
        const auto kind = random() % 8;
        const auto number = static_cast<Word>(random());
        all.push_back(kind == 0 ? number : kind == 1 ? number % 600 : number % 70);
    }
    return all;
}

constexpr std::size_t cases = 6000;

template <class Type>
void expect_fields() {
    const auto extract = [](Type a, Word position, Word length) {
        if (width<Type> == 32) position %= 256, length %= 256;
        Number result = 0;
        const Number value = extend(a);
        for (Word i = 0; i < width<Type>; ++i) {
            // Bits beyond the field, or beyond the register, are copies of the highest bit of the field that is in the register.
            const std::uint64_t last = std::uint64_t{position} + length - 1;
            const std::uint64_t at = std::uint64_t{position} + i;
            const std::uint64_t source = i < length ? at : last;
            const bool is_copy = i >= length || at >= width<Type>;
            if (length == 0 || (is_copy && std::is_unsigned_v<Type>)) continue;
            result |=
                from_bit(bit(value, static_cast<int>(std::min<std::uint64_t>(source, width<Type> - 1))), static_cast<int>(i));
        }
        return cut<Type>(result);
    };
    const auto values = values_for_tests<Type>(cases, 1);
    expect_instruction<Type>("bfe" + type_name<Type>() + " %d, %a, %b, %c;", extract, values, amounts(cases, 2),
                             amounts(cases, 3));
}

TEST(BitInstructionTest, ExtractsFields) {
    for_types<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>([]<class Type>() { expect_fields<Type>(); });
}

TEST(BitInstructionTest, InsertsFields) {
    for_types<std::uint32_t, std::uint64_t>([]<class Type>() {
        const auto insert = [](Type a, Type b, Word position, Word length) {
            if (width<Type> == 32) position %= 256, length %= 256;
            Number result = extend(b);
            for (std::uint64_t i = 0; i < length && position + i < width<Type>; ++i) {
                const int to = static_cast<int>(position + i);
                result = (result & ~from_bit(true, to)) | from_bit(bit(extend(a), static_cast<int>(i)), to);
            }
            return cut<Type>(result);
        };
        expect_instruction<Type>("bfi" + bits_name<Type>() + " %d, %a, %b, %c, %e;", insert, values_for_tests<Type>(cases, 1),
                                 values_for_tests<Type>(cases, 2), amounts(cases, 3), amounts(cases, 4));
    });
}

TEST(BitInstructionTest, ExtendsFromAnyBit) {
    for_types<std::uint32_t, std::int32_t>([]<class Type>() {
        for (const bool is_wrapped : {false, true}) {
            const auto model = [is_wrapped](Type a, Word count) {
                if (is_wrapped) count %= 32;
                Number result = 0;
                for (Word i = 0; i < 32 && count != 0; ++i) {
                    const bool is_set = i < count ? bit(extend(a), static_cast<int>(i))
                                                  : std::is_signed_v<Type> && bit(extend(a), static_cast<int>(count - 1));
                    result |= from_bit(is_set, static_cast<int>(i));
                }
                return cut<Type>(result);
            };
            expect_instruction<Type>((is_wrapped ? "szext.wrap" : "szext.clamp") + type_name<Type>() + " %d, %a, %b;", model,
                                     values_for_tests<Type>(cases, 1), amounts(cases, 2));
        }
    });
}

TEST(BitInstructionTest, MakesMasks) {
    for (const bool is_wrapped : {false, true}) {
        const auto model = [is_wrapped](Word begin, Word length) {
            if (is_wrapped) begin %= 32, length %= 32;
            Number result = 0;
            for (std::uint64_t i = begin; i < 32 && i < std::uint64_t{begin} + length; ++i) {
                result |= from_bit(true, static_cast<int>(i));
            }
            return cut<Word>(result);
        };
        expect_instruction<Word>(is_wrapped ? "bmsk.wrap.b32 %d, %a, %b;" : "bmsk.clamp.b32 %d, %a, %b;", model,
                                 amounts(cases, 1), amounts(cases, 2));
    }
}

TEST(BitInstructionTest, Shifts) {
    for_types<std::uint16_t, std::uint32_t, std::uint64_t>([]<class Type>() {
        const auto values = values_for_tests<Type>(cases, 1);
        const auto left = [](Type a, Word amount) {
            Number result = extend(a);
            for (Word i = 0; i < std::min<Word>(amount, 100); ++i) result = add(result, result);
            return cut<Type>(result);
        };
        expect_instruction<Type>("shl" + bits_name<Type>() + " %d, %a, %b;", left, values, amounts(cases, 2));
    });
    const auto right = [](auto a, Word amount) {
        return cut<decltype(a)>(extend(a), static_cast<int>(std::min<Word>(amount, 64)));
    };
    for_integers([&]<class Type>() {
        const auto values = values_for_tests<Type>(cases, 1);
        expect_instruction<Type>("shr" + type_name<Type>() + " %d, %a, %b;", right, values, amounts(cases, 2));
        if (std::is_unsigned_v<Type>)
            expect_instruction<Type>("shr" + bits_name<Type>() + " %d, %a, %b;", right, values, amounts(cases, 2));
    });
}

TEST(BitInstructionTest, ShiftsPairsOfRegisters) {
    for (const bool is_wrapped : {false, true}) {
        for (const bool is_left : {false, true}) {
            const auto model = [=](Word low, Word high, Word amount) {
                const Word count = is_wrapped ? amount % 32 : std::min<Word>(amount, 32);
                const Number both = extend(low) | extend(high) << 32;
                return cut<Word>(both, static_cast<int>(is_left ? 32 - count : count));
            };
            const std::string text = std::string("shf.") + (is_left ? "l." : "r.") + (is_wrapped ? "wrap" : "clamp");
            expect_instruction<Word>(text + ".b32 %d, %a, %b, %c;", model, values_for_tests<Word>(cases, 1),
                                     values_for_tests<Word>(cases, 2), amounts(cases, 3));
        }
    }
}

// Numbers of the bytes of the result, from the highest to the lowest, for the lowest two bits of the selector.
struct PermutationMode {
    const char* name;
    int bytes[4][4];
};
constexpr PermutationMode permutation_modes[] = {
    {"f4e", {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}},
    {"b4e", {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
    {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
    {"ecl", {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
    {"ecr", {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}},
    {"rc16", {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}},
};

std::uint8_t byte_of(Word low, Word high, int number) {
    return cut<std::uint8_t>(extend(low) | extend(high) << 32, 8 * number);
}

TEST(BitInstructionTest, PermutesBytes) {
    expect_instruction_for_all<Word, Word, Word, Word>("prmt.b32 %d, %a, %b, %c;", [](Word a, Word b, Word selector) {
        Number result = 0;
        for (int i = 0; i < 4; ++i) {
            const int choice = static_cast<int>(selector >> 4 * i) & 15;
            std::uint8_t byte = byte_of(a, b, choice % 8);
            if (choice >= 8) byte = byte >= 128 ? 255 : 0;
            result |= extend(byte) << 8 * i;
        }
        return cut<Word>(result);
    });
    for (const PermutationMode& mode : permutation_modes) {
        const auto model = [&mode](Word a, Word b, Word selector) {
            Number result = 0;
            for (int i = 0; i < 4; ++i) result = result << 8 | extend(byte_of(a, b, mode.bytes[selector % 4][i]));
            return cut<Word>(result);
        };
        expect_instruction_for_all<Word, Word, Word, Word>("prmt.b32." + std::string(mode.name) + " %d, %a, %b, %c;", model);
        expect_instruction_for_all<Word, Word, Word, Word>("prmt." + std::string(mode.name) + ".b32 %d, %a, %b, %c;", model);
    }
}

TEST(BitInstructionTest, ComputesLogic) {
    for_types<std::uint16_t, std::uint32_t, std::uint64_t>([]<class Type>() {
        const auto for_each_bit = [](auto function) {
            return [function](Type a, Type b) {
                Number result = 0;
                for (int i = 0; i < width<Type>; ++i) result |= from_bit(function(bit(extend(a), i), bit(extend(b), i)), i);
                return cut<Type>(result);
            };
        };
        const std::string type = bits_name<Type>();
        expect_instruction_for_all<Type, Type, Type>("and" + type + " %d, %a, %b;",
                                                     for_each_bit([](bool a, bool b) { return a && b; }));
        expect_instruction_for_all<Type, Type, Type>("or" + type + " %d, %a, %b;",
                                                     for_each_bit([](bool a, bool b) { return a || b; }));
        expect_instruction_for_all<Type, Type, Type>("xor" + type + " %d, %a, %b;",
                                                     for_each_bit([](bool a, bool b) { return a != b; }));
        expect_instruction_for_all<Type, Type>("not" + type + " %d, %a;",
                                               [](Type a) { return static_cast<Type>(static_cast<Type>(-1) - a); });
        expect_instruction_for_all<Type, Type>("cnot" + type + " %d, %a;", [](Type a) { return static_cast<Type>(!a); });
    });
}

Word look_up(Word a, Word b, Word c, unsigned table) {
    Word result = 0;
    for (int i = 0; i < 32; ++i) {
        const unsigned index = 4 * bit(a, i) + 2 * bit(b, i) + bit(c, i);
        result |= (table >> index & 1) << i;
    }
    return result;
}

TEST(BitInstructionTest, ComputesEachFunctionOfThreeBits) {
    const auto a = values_for_tests<Word>(256, 1);
    const auto b = values_for_tests<Word>(256, 2);
    const auto c = values_for_tests<Word>(256, 3);
    for (unsigned table = 0; table < 256; ++table) {
        expect_instruction<Word>(
            "lop3.b32 %d, %a, %b, %c, " + std::to_string(table) + ";",
            [table](Word x, Word y, Word z) { return look_up(x, y, z, table); }, a, b, c);
    }
}

TEST(BitInstructionTest, TestsAFunctionOfThreeBits) {
    for (const bool is_and : {false, true}) {
        for (const char* const other : {"%q", "!%q"}) {
            for (const unsigned table : {0x80u, 0xfeu, 0x96u, 0x00u, 0x01u}) {
                const bool is_negated = other[0] == '!';
                const auto model = [=](Word a, Word b, Word c) {
                    const Word result = look_up(a, b, c, table);
                    const bool predicate = (a > b) != is_negated;
                    const bool is_set = is_and ? result != 0 && predicate : result != 0 || predicate;
                    return std::pair<Word, bool>(result, is_set);
                };
                const std::string operands =
                    "|%p, %a, %b, %c, " + std::to_string(table) + ", " + other + ";\nselp.b32 %t, 1, 0, %p;\n";
                const std::string text = std::string("setp.gt.u32 %q, %a, %b;\nlop3.") + (is_and ? "and" : "or") + ".b32 ";
                expect_instruction_for_all<Word, Word, Word, Word>(text + "%d" + operands + "xor.b32 %d, %d, %t;",
                                                                   [model](Word a, Word b, Word c) {
                                                                       const auto [result, is_set] = model(a, b, c);
                                                                       return result ^ (is_set ? 1u : 0u);
                                                                   });
                expect_instruction_for_all<Word, Word, Word, Word>(
                    text + "_" + operands + "mov.b32 %d, %t;",
                    [model](Word a, Word b, Word c) { return model(a, b, c).second ? 1u : 0u; });
            }
        }
    }
}

}  // namespace
}  // namespace cubind::testing::bit_tests
