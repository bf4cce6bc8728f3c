// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// write_string_cases.py writes the tables of one library from api.json.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "string_cases.hpp"

namespace cubind::testing {
namespace {

TEST(StringsTest, ReturnsTheNameOfEveryEnumeratorOrOfAnEqualOne) {
    std::map<long long, std::set<std::string>> names;
    std::size_t checked = 0;
    for (std::size_t i = 0, first = 0; i < enumerator_case_count; ++i) {
        if (enumerator_cases[i].name != nullptr) {
            names[enumerator_cases[i].value].insert(enumerator_cases[i].name);
            continue;
        }
        for (; first < i; ++first, ++checked) {
            const EnumeratorCase& each = enumerator_cases[first];
            ASSERT_NE(each.text, nullptr) << each.name;
            EXPECT_TRUE(names[each.value].contains(each.text)) << each.name << " gives " << each.text;
        }
        first = i + 1;
        names.clear();
    }
    EXPECT_EQ(checked, defined_enumerator_count);
}

TEST(StringsTest, ReturnsUnrecognizedForAnUnknownValue) {
    for (std::size_t i = 0; i < unknown_case_count; ++i) {
        ASSERT_NE(unknown_cases[i].text, nullptr);
        EXPECT_TRUE(std::string(unknown_cases[i].text).starts_with("unrecognized "))
            << "enum of " << unknown_cases[i].first_enumerator << " gives " << unknown_cases[i].text;
    }
}

TEST(StringsTest, ReturnsATextWithTheEnumForAnUnknownValue) {
    std::set<std::string> texts;
    for (std::size_t i = 0; i < unknown_case_count; ++i) texts.insert(unknown_cases[i].text);
    EXPECT_EQ(texts.size(), unknown_case_count);
}

TEST(StringsTest, DescribesEveryStatusInADistinctSentence) {
    const DescribeCase& unknown = describe_cases[describe_case_count - 1];
    ASSERT_EQ(unknown.name, nullptr);
    if (describe_case_count == 1 && unknown.text == nullptr) GTEST_SKIP() << "the status of the library is no enum";
    ASSERT_NE(unknown.text, nullptr);
    std::map<std::string, const DescribeCase*> seen;
    for (std::size_t i = 0; i + 1 < describe_case_count; ++i) {
        const DescribeCase& each = describe_cases[i];
        ASSERT_NE(each.text, nullptr) << each.name;
        const std::string text = each.text;
        EXPECT_GE(text.size(), 15u) << each.name << ": " << text;
        EXPECT_TRUE(text.ends_with('.')) << each.name << ": " << text;
        EXPECT_NE(text, unknown.text) << each.name;
        const auto [other, is_new] = seen.emplace(text, &each);
        EXPECT_TRUE(is_new || other->second->value == each.value) << each.name << " and " << other->second->name << ": " << text;
    }
}

}  // namespace
}  // namespace cubind::testing
