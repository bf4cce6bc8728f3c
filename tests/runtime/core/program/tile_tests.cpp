// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs of Tile IR, with programs and libraries in place of NVIDIA's.
#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/program/in_memory_program_cache.hpp>
#include <cubind/core/program/linker.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/error.hpp>

#include <gmock/gmock.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "core_test.hpp"
#include "platform/process.hpp"
#include "program/program_flags.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

const std::string bytecode("\x7FTileIR\0code", 12);

/// A folder with a program in place of tileiras, which writes the text of its call behind the first bytes of an ELF file.
class TileTest : public CoreTest {
protected:
    TileTest()
        : CoreTest({.devices = 1}),
          folder(fs::path(::testing::TempDir()) / ("cubind tile " + std::to_string(detail::process_id()))) {
        fs::remove_all(folder);
        fs::create_directories(folder / "toolkit/bin");
        fs::create_directories(folder / "toolkit/lib");
        write("toolkit/bin/tileiras",
              "echo called >> '" + (folder / "calls").string() +
                  "'\n[ \"$(head -c 7 /proc/self/fd/3 | tail -c 6)\" = TileIR ] || exit 4\n"
                  "for each in \"$@\"; do [ \"$each\" = --fail ] && { echo 'error: it fails' >&2; exit 5; }; done\n"
                  "echo 'a remark' >&2\nprintf '\\177ELF\\002\\001 %s PATH=%s CUDA_HOME=%s' \"$*\" \"${PATH%%:*}\" "
                  "\"$CUDA_HOME\"\n");
        write("toolkit/bin/ptxas", "");
        write("toolkit/lib/libnvvm.so.4", "");
        ::setenv("CUBIND_TILEIRAS_PROGRAM", (folder / "toolkit/bin/tileiras").c_str(), 1);
    }
    ~TileTest() override {
        ::unsetenv("CUBIND_TILEIRAS_PROGRAM");
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name) << "#!/bin/sh\n" << text;
        fs::permissions(folder / name, fs::perms::owner_all);
    }
    std::ptrdiff_t calls() const {
        std::ifstream file(folder / "calls");
        return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
    }
    static std::string text_of(const ObjectCode& code) {
        return {reinterpret_cast<const char*>(code.bytes().data()), code.bytes().size()};
    }

    fs::path folder;
};

TEST_F(TileTest, BecomesACubin) {
    Program program(SourceKind::tile_ir, bytecode,
                    {.name = "add.tile", .arch = "sm_90a", .debug = true, .extra_options = {"-x"}});
    EXPECT_EQ(program.backend(), CompilerBackend::tileiras);
    const ObjectCode code = program.compile(CodeType::cubin);
    EXPECT_EQ(code.kind(), CodeType::cubin);
    EXPECT_EQ(code.name(), "add.tile");
    EXPECT_THAT(text_of(code),
                AllOf(HasSubstr(" --gpu-name=sm_90 --device-debug -x -o "),
                      HasSubstr("PATH=" + (folder / "toolkit/bin").string() + " CUDA_HOME=" + (folder / "toolkit").string())));
    EXPECT_EQ(program.log(), "a remark\n");
}

TEST_F(TileTest, IsCompiledOnceWithACache) {
    InMemoryProgramCache cache;
    const auto compile = [&](const ProgramOptions& options) {
        Program program(SourceKind::tile_ir, bytecode, options);
        std::string text = text_of(program.compile(CodeType::cubin, {.cache = &cache}));
        EXPECT_EQ(program.uncached_reason(), "");
        return text;
    };
    const std::string first = compile({.arch = "sm_90"});
    EXPECT_EQ(compile({.arch = "sm_90"}), first);
    EXPECT_EQ(calls(), 1);
    EXPECT_NE(compile({.arch = "sm_90", .lineinfo = true}), first);
    EXPECT_NE(compile({.arch = "sm_100"}), first);
    EXPECT_EQ(calls(), 3);
}

TEST_F(TileTest, ReportsFailuresOfTheProgram) {
    Program program(SourceKind::tile_ir, bytecode, {.name = "add.tile", .arch = "sm_90", .extra_options = {"--fail"}});
    EXPECT_THAT(message_of<CompileError>([&] { (void)program.compile(CodeType::cubin); }),
                AllOf(HasSubstr("add.tile"), HasSubstr("sm_90"), HasSubstr("it fails"), HasSubstr("toolkit/bin/ptxas"),
                      HasSubstr("toolkit/lib/libnvvm.so.4, which must be of its release")));
    EXPECT_EQ(program.log(), "error: it fails\n");
    write("toolkit/bin/tileiras", "exit 0\n");  // writes nothing
    EXPECT_THROW((void)Program(SourceKind::tile_ir, bytecode, {.arch = "sm_90"}).compile(CodeType::cubin), CompileError);
}

TEST_F(TileTest, NamesWhatIsMissing) {
    Program program(SourceKind::tile_ir, bytecode, {.arch = "sm_90"});
    fs::remove(folder / "toolkit/bin/ptxas");
    ::setenv("CUBIND_PTXAS_PROGRAM", "/no/such/ptxas", 1);
    EXPECT_THAT(message_of<LoadError>([&] { (void)program.compile(CodeType::cubin); }),
                AllOf(HasSubstr("compiles Tile IR with ptxas and libNVVM of its release"), HasSubstr("/no/such/ptxas")));
    write("ptxas", "");
    ::setenv("CUBIND_PTXAS_PROGRAM", (folder / "ptxas").c_str(), 1);
    EXPECT_THAT(text_of(program.compile(CodeType::cubin)), HasSubstr("PATH=" + folder.string() + " "));
    ::unsetenv("CUBIND_PTXAS_PROGRAM");
    ::setenv("CUBIND_TILEIRAS_PROGRAM", "/no/such/tileiras", 1);
    EXPECT_THAT(message_of<LoadError>([&] { (void)program.compile(CodeType::cubin); }),
                AllOf(HasSubstr("Tile IR is compiled by NVIDIA's tileiras"), HasSubstr("/no/such/tileiras")));
}

// tileiras finds libNVVM by two names only.
TEST_F(TileTest, NeedsLibNvvmWhereTheProgramLooksForIt) {
    Program program(SourceKind::tile_ir, bytecode, {.arch = "sm_90"});
    fs::remove(folder / "toolkit/lib/libnvvm.so.4");
    const fs::path toolkit = folder / "other";
    fs::create_directories(toolkit / "nvvm/lib64");
    Dl_info any = {};
    ASSERT_NE(::dladdr(::dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), &any), 0);
    fs::copy_file(any.dli_fname, toolkit / "nvvm/lib64/libnvvm.so.4");  // any library, which nothing loads
    ::setenv("CUBIND_NVVM_LIBRARY", (toolkit / "nvvm/lib64/libnvvm.so.4").c_str(), 1);
    EXPECT_THAT(message_of<LoadError>([&] { (void)program.compile(CodeType::cubin); }),
                AllOf(HasSubstr((toolkit / "nvvm/lib64/libnvvm.so").string() + " a link to "), HasSubstr("has neither")));
    fs::create_symlink("libnvvm.so.4", toolkit / "nvvm/lib64/libnvvm.so");
    EXPECT_THAT(text_of(program.compile(CodeType::cubin)), HasSubstr("CUDA_HOME=" + toolkit.string()));
    ::unsetenv("CUBIND_NVVM_LIBRARY");
}

TEST_F(TileTest, RefusesWhatIsNoTileIr) {
    const auto message = [](const auto& call) { return message_of<std::invalid_argument>(call); };
    EXPECT_THAT(message([] { (void)Program(SourceKind::tile_ir, "PTX", {.name = "a.tile"}); }), HasSubstr("a.tile"));
    EXPECT_THAT(message([] { (void)Program(SourceKind::tile_ir, ""); }), HasSubstr("empty"));
    EXPECT_THAT(message([] { (void)Program(SourceKind::tile_ir, bytecode, {.std = "c++20"}); }), HasSubstr("std"));
    EXPECT_THAT(message([] { (void)Program(SourceKind::tile_ir, bytecode, {}, {{"a.h", ""}}); }), HasSubstr("a.h"));
    Program program(SourceKind::tile_ir, bytecode, {.arch = "sm_90"});
    EXPECT_THAT(message([&] { (void)program.compile(CodeType::ptx); }), HasSubstr("CodeType::cubin"));
    EXPECT_THAT(message([&] { (void)program.compile(CodeType::cubin, {.name_expressions = {"f"}}); }), HasSubstr("Tile IR"));
    for (const char* arch : {"sm_75", "compute_90"}) {
        Program old(SourceKind::tile_ir, bytecode, {.arch = arch});
        EXPECT_THAT(message([&] { (void)old.compile(CodeType::cubin); }), HasSubstr(arch));
    }
    EXPECT_EQ(calls(), 0);
}

TEST_F(TileTest, NeedsAGpuAndNoLinker) {
    const auto code = ObjectCode::from_bytes(CodeType::tile_ir, bytecode, {.name = "add"});
    EXPECT_THAT(message_of<LoadError>([&] { (void)code.kernel("add"); }), HasSubstr("the Tile IR \"add\" needs a GPU"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)Linker({code}); }), HasSubstr("SourceKind::tile_ir"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)code.globals(); }), HasSubstr("Tile IR"));
}

TEST(TileOptionTest, EnablesCpp20AndNeedsNvrtcOf133) {
    EXPECT_THAT(detail::nvrtc_flags({.enable_tile = true}, 13030), ElementsAre("--std=c++20", "--enable-tile"));
    EXPECT_THAT(detail::nvrtc_flags({.std = "c++23", .enable_tile = true}), ElementsAre("--std=c++23", "--enable-tile"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)detail::nvrtc_flags({.enable_tile = true}, 13020); }),
                AllOf(HasSubstr("enable_tile"), HasSubstr("13.3")));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)Program("", {.arch = "sm_90"}).compile(CodeType::tile_ir); }),
                HasSubstr("empty"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)Program("int", {.arch = "sm_90"}).compile(CodeType::tile_ir); }),
                HasSubstr("ProgramOptions::enable_tile"));
}

}  // namespace
}  // namespace cubind::testing
