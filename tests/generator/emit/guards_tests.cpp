// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "emit/guards.hpp"

namespace cubind::testing {
namespace {

using gen::emit::merge_guards;

TEST(MergeGuardsTest, MergesNeighborsWithOneCondition) {
    EXPECT_EQ(merge_guards("#if A\na\n#endif\n#if A\nb\n#endif\n"), "#if A\na\nb\n#endif\n");
    EXPECT_EQ(merge_guards("#ifdef A\na\n#endif\n\n\n#ifdef A\nb\n#endif\n\nend\n"), "#ifdef A\na\n\n\nb\n#endif\n\nend\n");
}

TEST(MergeGuardsTest, MergesMoreThanTwo) {
    EXPECT_EQ(merge_guards("#if A\na\n#endif\n#if A\nb\n#endif\n#if A\nc\n#endif\n"), "#if A\na\nb\nc\n#endif\n");
}

TEST(MergeGuardsTest, MergesNestedGuards) {
    EXPECT_EQ(merge_guards("#if A\n#if B\na\n#endif\n#if B\nb\n#endif\n#endif\n#if A\nc\n#endif\n"),
              "#if A\n#if B\na\nb\n#endif\nc\n#endif\n");
}

TEST(MergeGuardsTest, KeepsOtherConditions) {
    for (const std::string text :
         {"#if A\na\n#endif\n#if B\nb\n#endif\n", "#if A\na\n#endif\nbetween\n#if A\nb\n#endif\n",
          "#ifdef A\na\n#endif\n#ifndef A\nb\n#endif\n", "#if A\n#if B\na\n#endif\n#endif\n#if B\nb\n#endif\n"}) {
        EXPECT_EQ(merge_guards(text), text);
    }
}

TEST(MergeGuardsTest, KeepsAGuardWithAlternatives) {
    for (const std::string text :
         {"#if A\na\n#else\nb\n#endif\n#if A\nc\n#endif\n", "#if A\na\n#elif B\nb\n#endif\n#if A\nc\n#endif\n"}) {
        EXPECT_EQ(merge_guards(text), text);
    }
}

}  // namespace
}  // namespace cubind::testing
