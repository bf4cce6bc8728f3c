// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores of all types, in all spaces, for addresses of all shapes.
#include <algorithm>
#include <cstddef>
#include <random>

#include "access_runner.hpp"

namespace cubind::testing::memory_tests {

namespace {

struct ElementType {
    std::string name;
    unsigned bytes;
    bool is_signed;
};

const std::vector<ElementType>& element_types() {
    static const std::vector<ElementType> all = {
        {".b8", 1, false},  {".u8", 1, false},  {".s8", 1, true},   {".b16", 2, false}, {".u16", 2, false},
        {".s16", 2, true},  {".b32", 4, false}, {".u32", 4, false}, {".s32", 4, true},  {".f32", 4, false},
        {".b64", 8, false}, {".u64", 8, false}, {".s64", 8, true},  {".f64", 8, false}, {".b128", 16, false},
    };
    return all;
}

/// The offsets of the threads in the memory, in units of the access.
std::vector<std::vector<std::uint64_t>> shapes(std::size_t units, std::mt19937_64& random) {
    std::vector<std::vector<std::uint64_t>> all(7, std::vector<std::uint64_t>(threads_of_warp));
    for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
        all[0][lane] = lane;                 // contiguous
        all[1][lane] = 3;                    // the same
        all[2][lane] = units - 1 - lane;     // backward
        all[3][lane] = lane * (units / 32);  // with gaps
        all[4][lane] = random() % units;     // anywhere
        all[5][lane] = units - 32 + lane;    // at the end
        all[6][lane] = lane < 16 ? 2 : 1;    // two offsets
    }
    all[0][random() % 32] ^= random() % 2;  // sometimes one thread has another address
    return all;
}

const std::uint32_t masks[] = {~0u, 1u, 0x80000000u, 0x0000fff0u, 0xdeadbeefu, 0x55555555u};

std::string vector_of(unsigned length) {
    if (length == 1) return "%v0";
    std::string text = "{";
    for (unsigned i = 0; i < length; ++i) text += (i != 0 ? ", %v" : "%v") + std::to_string(i);
    return text + "}";
}

AccessInput random_input(std::mt19937_64& random) {
    AccessInput input;
    for (auto& each : input.memory) each = static_cast<std::uint8_t>(random());
    for (auto& each : input.registers) each = random();
    return input;
}

// Returns the index in AccessOutput::memory of an offset of a thread.
std::size_t index_of(const Place& place, unsigned lane, std::size_t offset) {
    return place.memory == "local" ? lane * window_bytes + offset : offset;
}

std::size_t word_of(unsigned lane, unsigned item, int bits) {
    return lane * registers_of_thread + item * (bits == 128 ? 2 : 1);
}

// Bytes 0 to 7 of a register after a load, one bit after the other.
std::uint64_t loaded_bits(const std::uint8_t* bytes, const ElementType& type, int register_bits) {
    std::uint64_t value = 0;
    for (int bit = 0; bit < std::min(register_bits, 64); ++bit) {
        const int last = static_cast<int>(8 * type.bytes) - 1;
        const int from = bit <= last ? bit : last;
        const bool is_set = (bytes[from / 8] >> (from % 8) & 1) != 0;
        if (is_set && (bit <= last || type.is_signed)) value |= std::uint64_t{1} << bit;
    }
    return value;
}

void test_load(const Place& place, const ElementType& type, int bits, unsigned length, const std::string& prefix, bool is_guarded,
               unsigned seed) {
    const std::string vector = length == 1 ? "" : ".v" + std::to_string(length);
    const bool has_policy = prefix.find("cache_hint") != std::string::npos;
    const std::string instruction =
        "ld" + prefix + place.space + vector + type.name + " " + vector_of(length) + ", $A" + (has_policy ? ", %policy;" : ";");
    AccessRunner runner(place, bits, instruction, is_guarded);
    std::mt19937_64 random(seed);
    const unsigned size = type.bytes * length;
    for (const auto& shape : shapes(window_bytes / size, random)) {
        for (const std::uint32_t mask : masks) {
            AccessInput input = random_input(random);
            input.mask = mask;
            for (unsigned lane = 0; lane < threads_of_warp; ++lane) input.offsets[lane] = shape[lane] * size;
            AccessOutput output = runner.run(input);
            ASSERT_EQ(output.result.status, driver::CUDA_SUCCESS) << instruction << output.result.problem;
            std::vector<std::uint64_t> expected = input.registers;
            for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
                for (unsigned item = 0; item < length && (mask >> lane & 1) != 0; ++item) {
                    const std::uint8_t* const from = &input.memory[input.offsets[lane] + item * type.bytes];
                    std::uint64_t& word = expected[word_of(lane, item, bits)];
                    const std::uint64_t kept = bits < 64 ? word >> bits << bits : 0;
                    word = kept | loaded_bits(from, type, bits);
                    if (bits == 128) expected[word_of(lane, item, bits) + 1] = loaded_bits(from + 8, type, bits);
                }
            }
            ASSERT_EQ(output.registers, expected) << instruction << " of " << place.memory << ", mask " << mask;
        }
    }
}

// PTX does not define which of several threads that store to one address is the last.
void give_equal_values_to_equal_offsets(AccessInput& input) {
    for (std::size_t lane = 0; lane < threads_of_warp; ++lane) {
        const auto same = std::find(input.offsets.begin(), input.offsets.end(), input.offsets[lane]);
        const auto first = static_cast<std::size_t>(same - input.offsets.begin());
        std::copy_n(&input.registers[first * registers_of_thread], registers_of_thread,
                    &input.registers[lane * registers_of_thread]);
    }
}

void test_store(const Place& place, const ElementType& type, int bits, unsigned length, const std::string& prefix,
                bool is_guarded, unsigned seed) {
    if (type.name == ".f32" && bits == 64) return;  // on a GPU, this converts from double
    const std::string vector = length == 1 ? "" : ".v" + std::to_string(length);
    const bool has_policy = prefix.find("cache_hint") != std::string::npos;
    const std::string instruction =
        "st" + prefix + place.space + vector + type.name + " $A, " + vector_of(length) + (has_policy ? ", %policy;" : ";");
    AccessRunner runner(place, bits, instruction, is_guarded);
    std::mt19937_64 random(seed);
    const unsigned size = type.bytes * length;
    for (const auto& shape : shapes(window_bytes / size, random)) {
        for (const std::uint32_t mask : masks) {
            AccessInput input = random_input(random);
            input.mask = mask;
            for (unsigned lane = 0; lane < threads_of_warp; ++lane) input.offsets[lane] = shape[lane] * size;
            give_equal_values_to_equal_offsets(input);
            std::vector<std::uint8_t> expected;
            for (unsigned i = 0; i < (place.memory == "local" ? threads_of_warp : 1); ++i)
                expected.insert(expected.end(), input.memory.begin(), input.memory.end());
            for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
                for (unsigned byte = 0; byte < size && (mask >> lane & 1) != 0; ++byte) {
                    const unsigned at = byte % type.bytes;
                    const std::uint64_t word = input.registers[word_of(lane, byte / type.bytes, bits) + at / 8];
                    expected[index_of(place, lane, input.offsets[lane] + byte)] = static_cast<std::uint8_t>(word >> (at % 8 * 8));
                }
            }
            AccessOutput output = runner.run(input);
            ASSERT_EQ(output.result.status, driver::CUDA_SUCCESS) << instruction << output.result.problem;
            ASSERT_EQ(output.registers, input.registers) << instruction;
            ASSERT_TRUE(output.memory == expected) << instruction << " of " << place.memory << ", mask " << mask;
        }
    }
}

template <class Test>
void for_all_accesses(const std::string& prefix, bool is_strong, Test test) {
    unsigned seed = 1;
    for (const Place& place : places()) {
        if (is_strong && place.space == ".local") continue;
        for (const ElementType& type : element_types()) {
            for (const int bits : {16, 32, 64, 128}) {
                const bool fits = static_cast<int>(8 * type.bytes) <= bits;
                if (!fits || (bits == 128) != (type.bytes == 16)) continue;
                for (const unsigned length : {1u, 2u, 4u, 8u}) {
                    const unsigned max_bytes = place.memory == "global" && place.space == ".global" ? 32 : 16;
                    if (length * type.bytes > max_bytes || (length == 8 && type.bytes == 4 && max_bytes == 16)) continue;
                    if (type.bytes == 16 && length != 1) continue;
                    test(place, type, bits, length, prefix, seed % 2 == 0, seed);
                    ++seed;
                    if (::testing::Test::HasFatalFailure()) return;
                }
            }
        }
    }
}

TEST(LoadTest, ReadsAllTypesInAllSpaces) {
    for_all_accesses("", false, test_load);
}

// Compilers load what a kernel does not change in this way.
TEST(LoadTest, ReadsAllTypesThroughTheCacheForConstants) {
    const Place global{".global", "global", 64};
    unsigned seed = 0;
    for (const ElementType& type : element_types()) {
        for (const unsigned length : {1u, 2u, 4u}) {
            if (length * type.bytes > 16) continue;
            test_load(global, type, static_cast<int>(std::max(16u, 8 * type.bytes)), length, ".nc", true, ++seed);
        }
    }
}

TEST(LoadTest, ReadsStronglyInAllSpaces) {
    for (const char* const prefix : {".volatile", ".relaxed.gpu", ".acquire.sys"})
        for_all_accesses(prefix, true,
                         [](const Place& place, const ElementType& type, int bits, unsigned length, const std::string& modifiers,
                            bool is_guarded, unsigned seed) {
                             if (length * type.bytes <= 16) test_load(place, type, bits, length, modifiers, is_guarded, seed);
                         });
}

// Calls `test` for all accesses to local memory with .volatile.
template <class Test>
void for_volatile_local_memory(Test test) {
    for_all_accesses(".volatile", false,
                     [&](const Place& place, const ElementType& type, int bits, unsigned length, const std::string& modifiers,
                         bool is_guarded, unsigned seed) {
                         if (place.space == ".local") test(place, type, bits, length, modifiers, is_guarded, seed);
                     });
}

TEST(LoadTest, ReadsVolatileLocalMemory) {
    for_volatile_local_memory(test_load);
}

TEST(StoreTest, WritesVolatileLocalMemory) {
    for_volatile_local_memory(test_store);
}

TEST(StoreTest, WritesAllTypesInAllSpaces) {
    for_all_accesses("", false, test_store);
}

TEST(StoreTest, WritesStronglyInAllSpaces) {
    for (const char* const prefix : {".volatile", ".relaxed.cta", ".release.gpu"})
        for_all_accesses(prefix, true,
                         [](const Place& place, const ElementType& type, int bits, unsigned length, const std::string& modifiers,
                            bool is_guarded, unsigned seed) {
                             if (length * type.bytes <= 16) test_store(place, type, bits, length, modifiers, is_guarded, seed);
                         });
}

TEST(StoreTest, ShowsADifferenceForAFloatFromAWideRegister) {
    AccessRunner runner({".global", "global", 64}, 64, "st.global.f32 $A, %v0;");
    AccessInput input;
    for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
        input.offsets[lane] = 4 * lane;
        input.registers[lane * registers_of_thread] = 0x3ff0000000000000u + lane;
    }
    const AccessOutput output = runner.run(input);
    for (unsigned lane = 0; lane < threads_of_warp; ++lane) EXPECT_EQ(output.memory[4 * lane], lane);
}

TEST(LoadTest, IgnoresHintsForCaches) {
    const Place global{".global", "global", 64};
    const ElementType type{".f32", 4, false};
    for (const char* const prefix : {".ca",
                                     ".cg",
                                     ".cs",
                                     ".lu",
                                     ".cv",
                                     ".weak",
                                     ".L2::64B",
                                     ".L2::128B",
                                     ".L2::256B",
                                     ".L1::evict_normal",
                                     ".L1::evict_unchanged",
                                     ".L1::evict_first",
                                     ".L1::evict_last",
                                     ".L1::no_allocate",
                                     ".L1::no_allocate.L2::128B",
                                     ".L2::cache_hint",
                                     ".L1::evict_last.L2::cache_hint.L2::256B",
                                     ".nc",
                                     ".ca.nc",
                                     ".nc.L1::no_allocate.L2::128B",
                                     ".nc.L2::cache_hint",
                                     ".mmio.relaxed.sys",
                                     ".volatile.L2::128B",
                                     ".acquire.cta.L1::evict_last.L2::cache_hint.L2::64B"}) {
        test_load(global, type, 32, 1, prefix, true, 7);
    }
    for (const char* const prefix : {".wb", ".cg", ".cs", ".wt", ".weak", ".L1::no_allocate", ".L2::cache_hint",
                                     ".L1::evict_first.L2::cache_hint", ".mmio.relaxed.sys", ".release.gpu.L1::evict_last"}) {
        test_store(global, type, 32, 1, prefix, true, 8);
    }
}

TEST(LoadTest, LeavesOutDestinations) {
    AccessRunner runner({".global", "global", 64}, 32, "ld.global.v4.u32 {_, %v1, _, %v0}, $A;");
    AccessInput input;
    for (std::size_t i = 0; i < input.memory.size(); ++i) input.memory[i] = static_cast<std::uint8_t>(i / 4);
    for (unsigned lane = 0; lane < threads_of_warp; ++lane) input.offsets[lane] = 16 * lane;
    const AccessOutput output = runner.run(input);
    for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
        EXPECT_EQ(output.registers[lane * registers_of_thread], (4 * lane + 3) * 0x01010101ull);
        EXPECT_EQ(output.registers[lane * registers_of_thread + 1], (4 * lane + 1) * 0x01010101ull);
        EXPECT_EQ(output.registers[lane * registers_of_thread + 2], 0u);
    }
}

TEST(LoadTest, ReadsItsOwnAddressRegister) {
    AccessRunner runner({".global", "global", 64}, 64, "add.s64 %v0, %pointer, -16;\nld.global.v2.u64 {%v0, %v1}, [%v0];");
    AccessInput input;
    for (std::size_t i = 0; i < input.memory.size(); ++i) input.memory[i] = static_cast<std::uint8_t>(i / 8);
    for (unsigned lane = 0; lane < threads_of_warp; ++lane) input.offsets[lane] = 16 * (lane ^ 5);
    const AccessOutput output = runner.run(input);
    for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
        EXPECT_EQ(output.registers[lane * registers_of_thread], 2 * (lane ^ 5) * 0x0101010101010101u);
        EXPECT_EQ(output.registers[lane * registers_of_thread + 1], (2 * (lane ^ 5) + 1) * 0x0101010101010101u);
    }
}

}  // namespace

}  // namespace cubind::testing::memory_tests
