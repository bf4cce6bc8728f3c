// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// PTX that no compiler writes: offsets that exceed all addresses, and control characters.
#include <gmock/gmock.h>

#include "control_test.hpp"
#include "ptx/text/reader.hpp"
#include "shared/escaped.hpp"

namespace cubind::testing::hostile_text_tests {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(EscapedTest, ChangesControlCharactersOnly) {
    EXPECT_EQ(sim::escaped("kernel.cu:7 ~ \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
              "kernel.cu:7 ~ \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    EXPECT_EQ(sim::escaped(std::string_view("a\x1b[2J\n\r\t\0\x7f", 10)), "a\\x1b[2J\\x0a\\x0d\\x09\\x00\\x7f");
    EXPECT_EQ(sim::escaped("\xc2\x9b"), "\\xc2\\x9b") << "a control character of UTF-8";
    EXPECT_EQ(sim::escaped("\x9b\xff\xc3"), "\\x9b\\xff\\xc3") << "no characters of UTF-8";
    EXPECT_EQ(sim::escaped("\xc0\x8a\xe0\x80\x8a\xed\xa0\x80\xf4\x90\x80\x80"),
              "\\xc0\\x8a\\xe0\\x80\\x8a\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(sim::escaped(""), "");
}

// Needs a build with the sanitizer for undefined behavior to find an overflow.
TEST(AddressTest, WrapsForAnyOffset) {
    const std::string before = ".shared .align 8 .b8 s[64];\n.local .align 8 .b8 l[64];\n.param .align 8 .b8 q[64];\n";
    for (const std::string offset : {"9223372036854775807", "9223372036854775808", "18446744073709551615", "-9223372036854775807",
                                     "-9223372036854775808", "9223372036854775807+9223372036854775807"}) {
        const std::string sign = offset.starts_with('-') ? "" : "+";
        for (const std::string access :
             {"ld.param.u8 %a, [out", "ld.shared.u8 %a, [s", "ld.local.u8 %a, [l", "ld.param.u8 %a, [q", "st.param.u8 [q",
              "ld.global.u8 %a, [%mine", "st.shared.u8 [s", "prefetch.local.L1 [l", "atom.shared.add.u32 %a, [s"}) {
            const bool is_store = access.starts_with("st");
            const bool is_atomic = access.starts_with("atom");
            const std::string text = access + sign + offset + (is_store || is_atomic ? "], %a;" : "];");
            const ControlRun run = run_control(control_kernel(before + text + "\nst.global.u32 [%mine], %a;"));
            // The address is a number of fewer bits, so that other offsets lead to the variable itself.
            const bool is_outside =
                offset == "9223372036854775807" && access.find("[q") == std::string::npos && !access.starts_with("prefetch");
            EXPECT_TRUE(!is_outside || run.result.status != driver::CUDA_SUCCESS) << text;
        }
        for (const std::string name : {"s", "l", "out"}) {
            const std::string text = "mov.u64 %x, " + name + sign + offset + ";\nst.global.u64 [%out], %x;";
            const ControlRun run = run_control(control_kernel(before + text));
            EXPECT_EQ(run.result.status, driver::CUDA_SUCCESS) << run.result.problem;
        }
    }
}

TEST(SourceFileTest, IsEscapedInMessages) {
    const std::string kernel = control_kernel("trap;");
    const std::size_t trap = kernel.find("trap;");
    const std::string text =
        kernel.substr(0, trap) + ".loc 1 7 0\n" + kernel.substr(trap) + "\n.file 1 \"dir/\x1b]0;title\x07.cu\"\n";
    const ControlRun run = run_control(text);
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_THAT(run.result.problem, AllOf(HasSubstr("dir/\\x1b]0;title\\x07.cu:7"), Not(HasSubstr("\x1b"))));
}

TEST(SourceFileTest, IsEscapedInErrors) {
    const sim::ptx::ReadResult reading =
        sim::ptx::read(".version 8.0\n.target sm_90\n.address_size 64\n.file \"\x1b[31m\"\n", 9000);
    EXPECT_NE(reading.status, driver::CUDA_SUCCESS);
    EXPECT_THAT(reading.problem, AllOf(HasSubstr("\\x1b[31m"), Not(HasSubstr("\x1b"))));
}

TEST(AssertionTest, IsEscapedInMessages) {
    const auto variable = [](const std::string& name, const std::string& text) {
        std::string declaration = ".global .align 1 .b8 " + name + "[" + std::to_string(text.size() + 1) + "] = {";
        for (const char c : text) declaration += std::to_string(static_cast<unsigned char>(c)) + ", ";
        return declaration + "0};\n";
    };
    const std::string call =
        "mov.u64 %x, word;\n{ .param .b64 a;\n.param .b64 b;\n.param .b32 c;\n.param .b64 d;\n.param .b64 e;\nst.param.b64 [a], "
        "%x;\n"
        "st.param.b64 [b], %x;\nst.param.b32 [c], 7;\nst.param.b64 [d], %x;\nst.param.b64 [e], 1;\n"
        "call.uni __assertfail, (a, b, c, d, e);\n}";
    ::testing::internal::CaptureStderr();
    const ControlRun run = run_control(control_kernel(
        call, variable("word", "\x1b[2J") + ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, "
                                            ".param .b64 d, .param .b64 e);\n"));
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_ASSERT) << run.result.problem;
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), AllOf(HasSubstr("\\x1b[2J:7: \\x1b[2J: "), Not(HasSubstr("\x1b"))));
    EXPECT_THAT(run.result.problem, AllOf(HasSubstr("`\\x1b[2J`"), Not(HasSubstr("\x1b"))));
}

}  // namespace
}  // namespace cubind::testing::hostile_text_tests
