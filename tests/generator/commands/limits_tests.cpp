// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

/// Headers that cannot be read in limited time or memory.
class LimitsTest : public GeneratorTest {
protected:
    static constexpr const char* extract_command = "--parse-seconds 1 extract toy --include project/include";

    void declare(const std::string& text) const { replace("include/toy.h", "#define TOY_H\n", "#define TOY_H\n" + text); }
};

TEST_F(LimitsTest, RejectsAMacroThatExpandsWithoutLimit) {
    std::string macros = "#define TOY_0 1 + 1\n";
    for (int level = 1; level <= 40; ++level) {
        const std::string inner = "TOY_" + std::to_string(level - 1);
        macros += "#define TOY_" + std::to_string(level) + " " + inner + " + " + inner + "\n";
    }
    declare(macros);
    expect_rejected(extract_command, "toy.h:20: the macro TOY_13 expands to more than 10000 words");
}

// The arguments of a call are expanded before the macro, so that no macro is large.
TEST_F(LimitsTest, EndsIfNestedArgumentsExpandWithoutLimit) {
    std::string value = "1";
    for (int level = 0; level < 40; ++level) value = "TOY_SUM(" + value + ")";
    declare("#define TOY_SUM(value) value + value\nenum { TOY_BOMB = " + value + " };\n");
    expect_rejected(extract_command, "cubind_toy.cpp: libclang needs more than 1 seconds");
}

TEST_F(LimitsTest, EndsIfAHeaderIncludesAPipe) {
    ASSERT_EQ(::mkfifo(below("include/pipe.h").c_str(), 0600), 0);
    declare("#include \"pipe.h\"\n");
    expect_rejected(extract_command, "cubind_toy.cpp: libclang needs more than 1 seconds");
}

TEST_F(LimitsTest, EndsIfAHeaderNeedsTooMuchMemory) {
    declare("#include \"/dev/zero\"\n");
    expect_rejected("--parse-gibibytes 1 extract toy --include project/include", "more than 1 GiB of memory");
}

TEST_F(LimitsTest, RejectsAHeaderThatIsNoFile) {
    std::filesystem::remove(below("include/toy.h"));
    std::filesystem::create_symlink("/dev/zero", below("include/toy.h"));
    expect_rejected(extract_command, "toy.h");
}

TEST_F(LimitsTest, RejectsALargeHeader) {
    std::filesystem::resize_file(below("include/toy.h"), (64 << 20) + 1);
    expect_rejected(extract_command, "toy.h: the file is larger than 64 MiB");
}

}  // namespace
}  // namespace cubind::testing
