// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "contraction/subscripts.hpp"
#include "math_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

math::detail::Subscripts parsed(const char* text) {
    return math::detail::parse_subscripts(text);
}

std::string refusal(const char* text) {
    std::string message = message_of<std::invalid_argument>([&] { (void)parsed(text); });
    EXPECT_THAT(message, HasSubstr(std::string("\"") + text + "\""));
    return message;
}

TEST(SubscriptsTest, SeparatesOperandsAndTheOutput) {
    EXPECT_THAT(parsed("ij,jk->ik").operands, ElementsAre("ij", "jk"));
    EXPECT_EQ(parsed("ij,jk->ik").output, "ik");
    EXPECT_THAT(parsed(" a B , Bc,  cd -> d a").operands, ElementsAre("aB", "Bc", "cd"));
    EXPECT_EQ(parsed(" a B , Bc,  cd -> d a").output, "da");
    EXPECT_THAT(parsed("ij,->ij").operands, ElementsAre("ij", ""));
    EXPECT_EQ(parsed("ij,ij->").output, "");
    EXPECT_THAT(parsed("").operands, ElementsAre(""));
    EXPECT_THAT(parsed("i,i,i,i").operands, ElementsAre("i", "i", "i", "i"));
}

TEST(SubscriptsTest, FindsTheImplicitOutput) {
    EXPECT_EQ(parsed("ij,jk").output, "ik");
    EXPECT_EQ(parsed("kj,ji").output, "ik");
    EXPECT_EQ(parsed("bA,Ac,Z").output, "Zbc") << "upper case comes first";
    EXPECT_EQ(parsed("i,i,i").output, "");
    EXPECT_EQ(parsed("ij,").output, "ij");
}

TEST(SubscriptsTest, RefusesWhatEinsumRefuses) {
    EXPECT_THAT(refusal("ij,jk->il"), HasSubstr("name a dimension of the output l, which no operand has"));
    EXPECT_THAT(refusal("ij,jk->iki"), HasSubstr("name two dimensions of the output i"));
    EXPECT_THAT(refusal("ij,jk->ik,il"), AllOf(HasSubstr("','"), HasSubstr("position 9"), HasSubstr("only letters")));
    EXPECT_THAT(refusal("ij,jk->i->k"), AllOf(HasSubstr("'-'"), HasSubstr("position 8")));
    EXPECT_THAT(refusal("ij,j1->i"), AllOf(HasSubstr("'1'"), HasSubstr("position 4"), HasSubstr("letters, commas")));
    EXPECT_THAT(refusal("ij;jk"), HasSubstr("';'"));
    EXPECT_THAT(refusal("ij,jk-"), HasSubstr("'-'"));
}

TEST(SubscriptsTest, RefusesWhatIsNotSupportedWithAdvice) {
    EXPECT_THAT(refusal("...ij,jk"), HasSubstr("an ellipsis: name each dimension"));
    EXPECT_THAT(refusal("ij,jj->i"), AllOf(HasSubstr("operand 2 j"), HasSubstr("a view of its diagonal")));
}

}  // namespace
}  // namespace cubind::testing
