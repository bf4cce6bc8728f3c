// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/stat.h>

#include "program/compile_key.hpp"
#include "program/library_build.hpp"

namespace cubind::testing {
namespace {

using namespace cubind;
using namespace cubind::detail;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A fixture with a folder of headers. Its subfolder "toolkit" is used as the include folder of the toolkit.
class CompileKeyTest : public ::testing::Test {
protected:
    CompileKeyTest() {
        std::string name = (std::filesystem::temp_directory_path() / "cubind-key-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) std::abort();
        folder = name;
        options.name = (folder / "kernel.cu").string();
        std::filesystem::create_directories(folder / "toolkit");
    }
    ~CompileKeyTest() override { std::filesystem::remove_all(folder); }

    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder / name).parent_path());
        std::ofstream(folder / name) << text;
    }

    CompileKey key_of(const std::string& source, const std::string& digest = {}) const {
        const CompileJob job{source, headers, {}, CodeType::ptx, options, flags};
        return cpp_key({"NVRTC", 13040, "/nowhere/libnvrtc.so", build}, job, {(folder / "toolkit").string()}, digest);
    }
    /// Returns the key for a source, and expects that it contains all inputs.
    CacheKey key(const std::string& source) const {
        const CompileKey found = key_of(source);
        EXPECT_EQ(found.problem, "");
        return found.key;
    }
    /// Expects that the key changes with the text of a file, and when the file is created and removed.
    void expect_dependence(const std::string& source, const std::string& file) const {
        const CacheKey absent = key(source);
        write(file, "int first;");
        const CacheKey first = key(source);
        EXPECT_EQ(key(source), first);
        write(file, "int other;");
        const CacheKey other = key(source);
        EXPECT_EQ((std::set<CacheKey>{absent, first, other}.size()), 3u) << source << " " << file;
        std::filesystem::remove(folder / file);
        EXPECT_EQ(key(source), absent);
    }

    std::filesystem::path folder;
    ProgramOptions options;
    std::vector<std::string> flags;
    std::vector<IncludedHeader> headers;
    std::string build = "build 1";
};

TEST_F(CompileKeyTest, DependsOnIncludedFiles) {
    expect_dependence("#include \"beside.h\"", "beside.h");
    expect_dependence("#include <vendor/a.h>", "toolkit/vendor/a.h");
    expect_dependence("#include \"" + (folder / "absolute.h").string() + "\"", "absolute.h");
    expect_dependence("#include <" + (folder / "absolute.h").string() + ">", "absolute.h");
    expect_dependence("#include <../climbing.h>", "climbing.h");
    expect_dependence("#if __has_include(\"maybe.h\")\n#endif", "maybe.h");
    expect_dependence("#if __has_include(<vendor/maybe.h>)\n#endif", "toolkit/vendor/maybe.h");
    options.include_path = {(folder / "mine").string()};
    expect_dependence("#include <a.h>", "mine/a.h");
    options.pre_include = {"first.h"};
    expect_dependence("", "first.h");
}

TEST_F(CompileKeyTest, DependsOnFilesThatHeadersInclude) {
    write("toolkit/outer.h", "#include \"sub/middle.h\"");
    write("toolkit/sub/middle.h", "#pragma once\n#include \"inner.h\"\n#include \"../sub/middle.h\"");
    expect_dependence("#include <outer.h>", "toolkit/sub/inner.h");
    headers = {{"given/a.h", "#include \"b.h\"\n#include <sub/inner.h>"}};
    expect_dependence("#include <given/a.h>", "toolkit/sub/inner.h");
}

TEST_F(CompileKeyTest, DependsOnEachFileThatANameMayReferTo) {
    write("toolkit/a.h", "int a;");
    const std::string source = "#include \"a.h\"";
    expect_dependence(source, "a.h");
    expect_dependence(source + "\n#include <unrelated.h>", "a.h");
}

TEST_F(CompileKeyTest, DoesNotDependOnOtherFiles) {
    const CacheKey before = key("#include <a.h>");
    write("toolkit/b.h", "text");
    write("b.h", "text");
    EXPECT_EQ(key("#include <a.h>"), before);
}

// The time of the last status change (st_ctime) differs even if the size and the modification time of a file are the same.
TEST_F(CompileKeyTest, DependsOnFilesThatChangeInPlace) {
    const std::filesystem::path path = folder / "toolkit/a.h";
    write("toolkit/a.h", "int a;");
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    const auto time = std::filesystem::last_write_time(path);
    const CacheKey before = key("#include <a.h>");
    write("toolkit/a.h", "int b;");
    std::filesystem::last_write_time(path, time);
    EXPECT_NE(key("#include <a.h>"), before);
}

TEST_F(CompileKeyTest, DependsOnAllFilesOfThrustBecauseItNamesThemByMacros) {
    write("toolkit/thrust/a.h", "#include SYSTEM_HEADER");
    expect_dependence("#include <thrust/a.h>", "toolkit/thrust/system/b.h");
    const CacheKey before = key("#include <thrust/a.h>");
    write("toolkit/cub/b.h", "text");
    EXPECT_EQ(key("#include <thrust/a.h>"), before);
}

TEST_F(CompileKeyTest, DependsOnTheBuildOfTheCompiler) {
    const CacheKey first = key("int a;");
    build = "build 2";
    EXPECT_NE(key("int a;"), first);
    build.clear();
    EXPECT_THAT(key_of("int a;").problem, AllOf(HasSubstr("/nowhere/libnvrtc.so"), HasSubstr("build")));
}

TEST_F(CompileKeyTest, DependsOnTheWorkingDirectoryIfTheResultDoes) {
    const auto key_in = [&](const std::filesystem::path& directory) {
        const auto before = std::filesystem::current_path();
        std::filesystem::current_path(directory);
        const CacheKey found = key("int a;");
        std::filesystem::current_path(before);
        return found;
    };
    EXPECT_EQ(key_in(folder), key_in("/"));
    options.lineinfo = true;
    EXPECT_NE(key_in(folder), key_in("/"));
}

TEST_F(CompileKeyTest, ReportsInputsThatItDoesNotContain) {
    EXPECT_THAT(key_of("#include HEADER").problem, AllOf(HasSubstr(options.name), HasSubstr("macro")));
    EXPECT_THAT(key_of("const char* built = __TIME__;").problem, HasSubstr("__TIME__"));
    write("toolkit/a.h", "#include HEADER");
    EXPECT_THAT(key_of("#include <a.h>").problem, HasSubstr((folder / "toolkit/a.h").string()));
    headers = {{"given.h", "#if __has_include(HEADER)"}};
    EXPECT_THAT(key_of("").problem, HasSubstr("given.h: "));
    headers.clear();
    for (const char* const option : {"--options-file=x", "-optf=x", "-v,--options-file,x"}) {
        options.ptxas_options = {"-v", option};
        EXPECT_THAT(key_of("").problem, HasSubstr("ptxas_options")) << option;
    }
    options.ptxas_options.clear();
    options.use_pch = "x.pch";
    EXPECT_THAT(key_of("").problem, HasSubstr("use_pch"));
    options.use_pch.clear();
    options.extra_options = {"--modify-stack-limit=false"};
    EXPECT_THAT(key_of("").problem, HasSubstr("extra_options"));
    EXPECT_EQ(key_of("#include HEADER", "a hash of all this").problem, "");
}

TEST_F(CompileKeyTest, ReportsFilesWhoseContentItDoesNotContain) {
    EXPECT_THAT(key_of("#include \"/proc/version\"").problem, AllOf(HasSubstr("/proc/version"), HasSubstr("size")));
    const std::string pipe = folder / "toolkit/pipe.h";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(key_of("#include <pipe.h>").problem, AllOf(HasSubstr(pipe), HasSubstr("regular file")));
    const std::string large = folder / "toolkit/large.h";
    write("toolkit/large.h", "");
    std::filesystem::resize_file(large, std::uintmax_t{1} << 33);
    EXPECT_THAT(key_of("#include <large.h>").problem, AllOf(HasSubstr(large), HasSubstr("8589934592")));
    EXPECT_EQ(key_of("#include <large.h>", "a hash of all this").problem, "");
    std::filesystem::create_directories(folder / "toolkit/folder");
    EXPECT_EQ(key_of("#include <folder>").problem, "");
}

// ---- builds --------------------------------------------------------------------------------------------------------------

class LibraryBuildTest : public CompileKeyTest {};

TEST_F(LibraryBuildTest, IsTheBuildIdOfALibrary) {
    const std::string build = file_build("/proc/self/exe");
    const std::filesystem::path copy = folder / "copy";
    std::filesystem::copy_file("/proc/self/exe", copy);
    EXPECT_NE(build, "");
    EXPECT_EQ(file_build(copy), build);
    std::ofstream(copy, std::ios::app) << "more";
    // A build id has 16 to 40 digits and depends only on the linked code. A hash has 64 digits and depends on the whole file.
    EXPECT_EQ(file_build(copy) == build, build.size() < 64);
}

TEST_F(LibraryBuildTest, IsAHashOfAFileWithoutABuildId) {
    std::set<std::string> builds;
    for (const std::string text : {"", "text", "other",
                                   "\x7f"
                                   "ELF",
                                   "\x7f"
                                   "ELF and more than a header, but nothing that it could describe at all"}) {
        write("library", text);
        EXPECT_EQ(file_build(folder / "library").size(), 64u);
        builds.insert(file_build(folder / "library"));
    }
    EXPECT_EQ(builds.size(), 5u);
    EXPECT_EQ(file_build(folder / "absent"), "");
}

TEST_F(LibraryBuildTest, CoversTheLibraryOfBuiltInCode) {
    write("one/libnvrtc.so.13", "compiler");
    EXPECT_EQ(nvrtc_build(folder / "one/libnvrtc.so.13", 13040), "") << "without the library of built-in code";
    write("one/libnvrtc-builtins.so.13.4", "code");
    write("two/libnvrtc.so.13", "compiler");
    write("two/libnvrtc-builtins.so.13.4", "other code");
    EXPECT_NE(nvrtc_build(folder / "one/libnvrtc.so.13", 13040), "");
    EXPECT_NE(nvrtc_build(folder / "one/libnvrtc.so.13", 13040), nvrtc_build(folder / "two/libnvrtc.so.13", 13040));
}

}  // namespace
}  // namespace cubind::testing
