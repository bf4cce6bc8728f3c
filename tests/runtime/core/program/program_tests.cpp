// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said of programs before any compiler is asked.
#include "code_test.hpp"

#include <cubind/core/in_memory_program_cache.hpp>
#include <cubind/core/program.hpp>

#include <cstdlib>

namespace cubind::testing {
namespace {

constexpr const char* source = "__global__ void f() {}";

std::string refused(const std::function<void()>& operation) {
    return message_of<std::invalid_argument>(operation);
}

std::string refused(Program program, CodeType target, const CompileOptions& options = {}) {
    return refused([&] { (void)program.compile(target, options); });
}

class ProgramTest : public CodeTest {
protected:
    // No case gets so far.
    ProgramTest() { setenv("CUBIND_NVRTC_LIBRARY", "/nowhere/libnvrtc.so", 1); }
};

TEST_F(ProgramTest, SourcesThatAreNone) {
    EXPECT_THAT(refused([] { Program(""); }), HasSubstr("the text is empty"));
    EXPECT_THAT(refused([] { Program(std::string("a\0b", 3)); }), HasSubstr("a NUL at byte 1 of 3"));
    EXPECT_THAT(refused([] { Program(SourceKind::ptx, std::string("\0", 1)); }), HasSubstr("the text is empty"));
    Program program(source);
    const Program other = std::move(program);
    EXPECT_THAT(refused([&] { (void)program.compile(CodeType::ptx); }), HasSubstr("the text is empty"));  // NOLINT
}

TEST_F(ProgramTest, OptionsThatAreWrong) {
    EXPECT_THAT(refused([] { Program(source, {.std = "c++99"}); }), HasSubstr("c++99"));
    EXPECT_THAT(refused([] { Program(SourceKind::ptx, code_ptx, {.std = "c++17"}); }), HasSubstr("PTX"));
}

TEST_F(ProgramTest, HeadersThatAreWrong) {
    EXPECT_THAT(refused([] { Program(source, {}, {{"", "text"}}); }), HasSubstr("a header without a name"));
    EXPECT_THAT(refused([] { Program(source, {}, {{std::string("a\0", 2), "text"}}); }), HasSubstr("a header's name has a NUL"));
    EXPECT_THAT(refused([] { Program(source, {}, {{"a.h", std::string("a\0", 2)}}); }), HasSubstr("the header \"a.h\" has a NUL"));
    EXPECT_THAT(refused([] { Program(SourceKind::ptx, code_ptx, {}, {{"a.h", "text"}}); }), HasSubstr("PTX includes nothing"));
}

TEST_F(ProgramTest, TargetsThatCannotBe) {
    for (const CodeType target : {CodeType::fatbin, CodeType::object, CodeType::library}) {
        EXPECT_THAT(refused(Program(source), target), AllOf(HasSubstr("C++ becomes"), HasSubstr(to_string(target))));
    }
    EXPECT_THAT(refused(Program(SourceKind::ptx, code_ptx), CodeType::lto_ir), HasSubstr("PTX becomes CodeType::cubin"));
    EXPECT_THAT(refused(Program(source, {.arch = "compute_90"}), CodeType::cubin), HasSubstr("compute_90"));
    EXPECT_THAT(refused(Program(source, {.link_time_optimization = true}), CodeType::cubin), HasSubstr("compile(CodeType::lto_ir)"));
    EXPECT_THAT(refused(Program(source, {.fdevice_syntax_only = true}), CodeType::ptx), HasSubstr("generates no code"));
}

TEST_F(ProgramTest, NameExpressionsThatAreNone) {
    EXPECT_THAT(refused(Program(source), CodeType::ptx, {.name_expressions = {""}}), HasSubstr("is empty"));
    EXPECT_THAT(refused(Program(source), CodeType::ptx, {.name_expressions = {std::string("a\0b", 3)}}), HasSubstr("a NUL at byte 1"));
    EXPECT_THAT(refused(Program(SourceKind::ptx, code_ptx), CodeType::cubin, {.name_expressions = {"f<int>"}}), HasSubstr("\"f<int>\""));
}

TEST_F(ProgramTest, OptionsThatNoCacheCanKeep) {
    InMemoryProgramCache cache;
    const CompileOptions cached{.cache = &cache};
    const CompileOptions with_digest{.cache = &cache, .extra_digest = "1"};
    EXPECT_THAT(refused(Program(source, {.include_path = {"/x"}}), CodeType::ptx, cached), AllOf(HasSubstr("reads files"), HasSubstr("/x")));
    EXPECT_THAT(refused(Program(source, {.pre_include = {"x.h"}}), CodeType::ptx, cached), HasSubstr("reads files"));
    EXPECT_THAT(refused(Program(source, {.use_pch = "x.pch"}), CodeType::ptx, cached), HasSubstr("reads files"));
    EXPECT_THAT(refused(Program(source, {.create_pch = "x.pch"}), CodeType::ptx, with_digest), HasSubstr("writes files"));
    EXPECT_THAT(refused(Program(source, {.time = "x.csv"}), CodeType::ptx, with_digest), HasSubstr("writes files"));
}

TEST_F(ProgramTest, WithoutNvrtcTheErrorSaysWhereItWasLookedFor) {
    EXPECT_THAT(message_of<Error>([] { (void)Program(source).compile(CodeType::ptx); }),
                AllOf(HasSubstr("nvrtcVersion"), HasSubstr("/nowhere/libnvrtc.so")));
}

TEST_F(ProgramTest, FilesThatAreNone) {
    EXPECT_THAT(message_of<LoadError>([] { (void)Program::from_file(SourceKind::cpp, "/nowhere/kernel.cu"); }),
                AllOf(HasSubstr("Program::from_file"), HasSubstr("/nowhere/kernel.cu")));
}

}  // namespace
}  // namespace cubind::testing
