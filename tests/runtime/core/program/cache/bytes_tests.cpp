// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/bytes.hpp>

#include <gtest/gtest.h>

#include <string>

namespace cubind::testing {
namespace {

TEST(BytesTest, ComparesContents) {
    const std::string text = "abc";
    const Bytes bytes = Bytes::copy_of(text.data(), 3);
    EXPECT_EQ(bytes, Bytes::copy_of("abc", 3));
    EXPECT_NE(bytes, Bytes::copy_of("abd", 3));
    EXPECT_NE(bytes, Bytes::copy_of("abcd", 4));
    EXPECT_NE(bytes, Bytes());
    EXPECT_EQ(Bytes(), Bytes::copy_of(nullptr, 0));
}

TEST(BytesTest, CopiesTheSource) {
    std::string text = "abc";
    const Bytes bytes = Bytes::copy_of(text.data(), text.size());
    text = "xyz";
    EXPECT_EQ(bytes, Bytes::copy_of("abc", 3));
    EXPECT_EQ(bytes.span().size(), 3u);
    EXPECT_EQ(bytes.span()[2], std::byte{'c'});
}

TEST(BytesTest, SharesTheBytesAmongCopies) {
    Bytes copy;
    const std::byte* where = nullptr;
    {
        const Bytes first = Bytes::copy_of("abc", 3);
        where = first.data();
        copy = first;
    }
    EXPECT_EQ(copy.data(), where);
    EXPECT_EQ(copy, Bytes::copy_of("abc", 3));
    EXPECT_FALSE(copy.empty());
    EXPECT_TRUE(Bytes().empty());
    EXPECT_EQ(Bytes().data(), nullptr);
}

}  // namespace
}  // namespace cubind::testing
