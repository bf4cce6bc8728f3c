// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "program/link/lto_ir.hpp"

namespace cubind::testing {
namespace {

template <class Integer>
void append(std::string& bytes, Integer value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Returns a fat binary with entries of these kinds, of 24 bytes each.
std::string fat_binary(const std::vector<std::uint16_t>& kinds) {
    std::string bytes;
    append(bytes, std::uint32_t{0xba55ed50});
    append(bytes, std::uint16_t{1});
    append(bytes, std::uint16_t{16});
    append(bytes, std::uint64_t{24 * kinds.size()});
    for (const std::uint16_t kind : kinds) {
        append(bytes, kind);
        append(bytes, std::uint16_t{0x101});
        append(bytes, std::uint32_t{16});
        append(bytes, std::uint64_t{8});
        bytes += "contents";
    }
    return bytes;
}

bool is_lto_ir(const std::string& bytes, CodeType kind = CodeType::fatbin) {
    return cubind::detail::is_lto_ir(ObjectCode::from_bytes(kind, std::string_view(bytes)));
}

constexpr std::uint16_t ptx = 1, machine_code = 2, lto_ir = 8;

TEST(LtoIrTest, IsCodeOfThisKindOrAFatBinaryOfItAlone) {
    EXPECT_TRUE(is_lto_ir("anything", CodeType::lto_ir));
    EXPECT_FALSE(is_lto_ir("anything", CodeType::cubin));
    EXPECT_TRUE(is_lto_ir(fat_binary({lto_ir})));
    EXPECT_TRUE(is_lto_ir(fat_binary({lto_ir, lto_ir})));
    EXPECT_FALSE(is_lto_ir(fat_binary({lto_ir, machine_code})));
    EXPECT_FALSE(is_lto_ir(fat_binary({ptx})));
    EXPECT_FALSE(is_lto_ir(fat_binary({})));
}

TEST(LtoIrTest, ReadsNothingBeyondABrokenFatBinary) {
    const std::string whole = fat_binary({lto_ir, lto_ir});
    for (std::size_t size = 1; size < whole.size(); ++size) EXPECT_FALSE(is_lto_ir(whole.substr(0, size))) << size;
    std::string huge = whole;
    huge[16 + 15] = '\x7f';  // the size of the first entry's code
    EXPECT_FALSE(is_lto_ir(huge));
    std::string small = whole;
    small[16 + 4] = 0;  // the size of the first entry's header, without which no entry would follow
    EXPECT_FALSE(is_lto_ir(small));
    EXPECT_FALSE(is_lto_ir("not a fat binary"));
}

}  // namespace
}  // namespace cubind::testing
