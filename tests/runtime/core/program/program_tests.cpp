// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that are refused before any compiler is called.
#include <cubind/core/program/in_memory_program_cache.hpp>
#include <cubind/core/program/program.hpp>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "code_test.hpp"

namespace cubind::testing {
namespace {

constexpr const char* source = "__global__ void f() {}";

std::string refusal(const std::function<void()>& operation) {
    return message_of<std::invalid_argument>(operation);
}

std::string refusal(Program program, CodeType target, const CompileOptions& options = {}) {
    return refusal([&] { (void)program.compile(target, options); });
}

class ProgramTest : public CodeTest {
protected:
    // No case calls NVRTC.
    ProgramTest() { setenv("CUBIND_NVRTC_LIBRARY", "/nowhere/libnvrtc.so", 1); }
};

TEST_F(ProgramTest, RefusesEmptySourcesAndNuls) {
    EXPECT_THAT(refusal([] { Program(""); }), HasSubstr("source of a Program is empty"));
    EXPECT_THAT(refusal([] { Program(std::string("a\0b", 3)); }), HasSubstr("a NUL at byte 1 of 3"));
    EXPECT_THAT(refusal([] { Program(SourceKind::ptx, std::string("\0", 1)); }), HasSubstr("source of a Program is empty"));
    Program program(source);
    const Program other = std::move(program);
    EXPECT_THAT(refusal([&] { (void)program.compile(CodeType::ptx); }), HasSubstr("source of a Program is empty"));  // NOLINT
}

TEST_F(ProgramTest, SavesNoSourceAfterAMoveOrToWhatIsNoFile) {
    const auto folder = std::filesystem::path(::testing::TempDir()) / ("cubind-source-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder / "folder");
    const std::string path = (folder / "kernel.cu").string(), link = (folder / "link.cu").string();
    Program program(source, {.name = "original"});
    Program other(source);
    other.save_source(path);
    std::filesystem::create_symlink("kernel.cu", link);
    ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
    for (const std::string& wrong : {link, (folder / "fifo").string(), (folder / "folder").string(), path + "/", std::string()}) {
        EXPECT_THROW(program.save_source(wrong), std::system_error) << wrong;
    }
    EXPECT_EQ(program.options().name, "original");
    const Program moved = std::move(other);
    EXPECT_THAT(refusal([&] { other.save_source(path); }), HasSubstr("source of a Program is empty"));  // NOLINT
    EXPECT_EQ(std::filesystem::file_size(path), std::string_view(source).size()) << "the file is unchanged";
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 4) << "no temporary file remains";
    std::filesystem::remove_all(folder);
}

TEST_F(ProgramTest, RefusesBadOptions) {
    EXPECT_THAT(refusal([] { Program(source, {.std = "c++99"}); }), HasSubstr("c++99"));
    EXPECT_THAT(refusal([] { Program(SourceKind::ptx, code_ptx, {.std = "c++17"}); }), HasSubstr("PTX"));
}

TEST_F(ProgramTest, RefusesBadHeaders) {
    EXPECT_THAT(refusal([] { Program(source, {}, {{"", "text"}}); }), HasSubstr("name of a header is empty"));
    EXPECT_THAT(refusal([] { Program(source, {}, {{std::string("a\0", 2), "text"}}); }), HasSubstr("a header's name has a NUL"));
    EXPECT_THAT(refusal([] {
                    Program(source, {}, {{"a.h", std::string("a\0", 2)}});
                }),
                HasSubstr("the header \"a.h\" has a NUL"));
    EXPECT_THAT(refusal([] {
                    Program(SourceKind::ptx, code_ptx, {}, {{"a.h", "text"}});
                }),
                AllOf(HasSubstr("PTX"), HasSubstr("\"a.h\"")));
}

TEST_F(ProgramTest, RefusesImpossibleTargets) {
    for (const CodeType target : {CodeType::fatbin, CodeType::object, CodeType::library}) {
        EXPECT_THAT(refusal(Program(source), target), AllOf(HasSubstr("C++"), HasSubstr(to_string(target))));
    }
    EXPECT_THAT(refusal(Program(SourceKind::ptx, code_ptx), CodeType::lto_ir),
                AllOf(HasSubstr("PTX"), HasSubstr("CodeType::cubin"), HasSubstr("LTO-IR")));
    EXPECT_THAT(refusal(Program(source, {.arch = "compute_90"}), CodeType::cubin), HasSubstr("compute_90"));
    EXPECT_THAT(refusal(Program(source, {.link_time_optimization = true}), CodeType::cubin),
                HasSubstr("compile(CodeType::lto_ir)"));
    EXPECT_THAT(refusal(Program(source, {.fdevice_syntax_only = true}), CodeType::ptx), HasSubstr("generates no code"));
}

TEST_F(ProgramTest, RefusesBadNameExpressions) {
    EXPECT_THAT(refusal(Program(source), CodeType::ptx, {.name_expressions = {""}}), HasSubstr("is empty"));
    EXPECT_THAT(refusal(Program(source), CodeType::ptx, {.name_expressions = {std::string("a\0b", 3)}}),
                HasSubstr("a NUL at byte 1"));
    EXPECT_THAT(refusal(Program(SourceKind::ptx, code_ptx), CodeType::cubin, {.name_expressions = {"f<int>"}}),
                HasSubstr("\"f<int>\""));
}

TEST_F(ProgramTest, RefusesACacheForOptionsThatWriteFiles) {
    InMemoryProgramCache cache;
    const CompileOptions with_digest{.cache = &cache, .extra_digest = "1"};
    EXPECT_THAT(refusal(Program(source, {.create_pch = "x.pch"}), CodeType::ptx, with_digest), HasSubstr("must not write files"));
    EXPECT_THAT(refusal(Program(source, {.time = "x.csv"}), CodeType::ptx, with_digest), HasSubstr("must not write files"));
}

TEST_F(ProgramTest, RefusesPrecompiledHeadersOfOtherUsers) {
    namespace fs = std::filesystem;
    std::string name = (fs::temp_directory_path() / "cubind-program-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    const fs::path folder = fs::canonical(name);
    std::ofstream(folder / "x.pch") << "a header";
    const auto failure = [&](const ProgramOptions& options) {
        return message_of<std::exception>([&] { (void)Program(source, options).compile(CodeType::ptx); });
    };
    const auto is_accepted = HasSubstr("/nowhere/libnvrtc.so");
    const std::string file = (folder / "x.pch").string();
    for (const mode_t mode : {0777u, 01777u}) {
        ASSERT_EQ(::chmod(folder.c_str(), mode), 0);
        for (const ProgramOptions& options :
             {ProgramOptions{.use_bundled_headers = folder.string()}, ProgramOptions{.pch = true, .pch_dir = folder.string()}}) {
            EXPECT_THAT(failure(options), AllOf(HasSubstr("ProgramOptions::"), HasSubstr(folder.string()), HasSubstr("others")));
        }
        EXPECT_THAT(failure({.use_pch = file}), mode == 0777 ? HasSubstr("use_pch is \"" + file) : is_accepted);
    }
    ASSERT_EQ(::chmod(folder.c_str(), 0700), 0);
    EXPECT_THAT(failure({.use_bundled_headers = folder.string()}), is_accepted);
    EXPECT_THAT(failure({.use_bundled_headers = (folder / "new").string()}), is_accepted);
    EXPECT_THAT(failure({.pch = true, .pch_dir = folder.string()}), is_accepted);
    EXPECT_THAT(failure({.use_pch = "x.pch", .pch_dir = folder.string()}), is_accepted);
    ASSERT_EQ(::chmod(file.c_str(), 0666), 0);
    EXPECT_THAT(failure({.use_pch = "x.pch", .pch_dir = folder.string()}),
                AllOf(HasSubstr(file), HasSubstr("can be written by others")));
    fs::remove_all(folder);
}

TEST_F(ProgramTest, NamesThePlaceThatWasSearchedForNvrtc) {
    EXPECT_THAT(message_of<Error>([] { (void)Program(source).compile(CodeType::ptx); }),
                AllOf(HasSubstr("nvrtcVersion"), HasSubstr("/nowhere/libnvrtc.so")));
}

TEST_F(ProgramTest, NamesAMissingFile) {
    EXPECT_THAT(message_of<LoadError>([] { (void)Program::from_file(SourceKind::cpp, "/nowhere/kernel.cu"); }),
                AllOf(HasSubstr("Program::from_file"), HasSubstr("/nowhere/kernel.cu")));
}

TEST_F(ProgramTest, RefusesAFileThatMayHaveNoEnd) {
    EXPECT_THAT(message_of<LoadError>([] { (void)Program::from_file(SourceKind::cpp, "/dev/zero"); }),
                AllOf(HasSubstr("Program::from_file"), HasSubstr("/dev/zero"), HasSubstr("only regular files")));
}

}  // namespace
}  // namespace cubind::testing
