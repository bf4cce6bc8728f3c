// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/kernel_case.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

// Files that are no source, and options that are wrong.

using gen::kernels::read_kernel_file;
using gen::kernels::ReadOptions;

const std::string kernel = "__global__ void run(int* p) {}\n";

std::string error_of_file(const std::filesystem::path& file, const ReadOptions& options = {}) {
    return input_error_of([&] { read_kernel_file(file, options); });
}

class KernelFileTest : public ::testing::Test {
protected:
    ScratchFolder scratch_;
};

TEST_F(KernelFileTest, RejectsWhatIsNoFile) {
    expect_contains(error_of_file(scratch_.below("missing.cu")), "missing.cu: the file cannot be read");
    expect_contains(error_of_file(scratch_.path()), "the file cannot be read");
    expect_contains(error_of_file("/dev/zero"), "/dev/zero: the file cannot be read");
    const std::filesystem::path closed = scratch_.write("closed.cu", kernel);
    std::filesystem::permissions(closed, std::filesystem::perms::none);
    if (std::ifstream(closed).is_open()) return;  // the tests run as root
    expect_contains(error_of_file(closed), "closed.cu: the file cannot be read");
}

TEST_F(KernelFileTest, RejectsTextThatIsNoSource) {
    expect_contains(error_of_file(scratch_.write("empty.cu", "")), "empty.cu: the file is empty");
    expect_contains(error_of_file(scratch_.write("blank.cu", " \n\t\n")), "blank.cu: the file is empty");
    expect_contains(error_of_file(scratch_.write("zero.cu", kernel + std::string("int a\0;", 7))),
                    "zero.cu:2: the text holds a zero byte");
    for (const std::string wrong : {"\xff", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe4"}) {
        expect_contains(error_of_file(scratch_.write("latin.cu", kernel + "// " + wrong)), "latin.cu:2: the text is no UTF-8");
    }
    EXPECT_EQ(
        read_kernel_file(scratch_.write("utf8.cu", "// \xe2\x82\xac \xf0\x9f\x98\x80 \xc3\xa4\n" + kernel), {}).kernels.size(),
        1u);
}

TEST_F(KernelFileTest, RejectsFilesWithoutKernels) {
    expect_contains(error_of_file(scratch_.write("host.cu", "int value;\n")),
                    "host.cu: the file defines no kernel and no variable");
    expect_contains(error_of_file(scratch_.write("open.cu", "template <class T> __global__ void run(T*) {}\n")),
                    "only templates without instances");
}

TEST_F(KernelFileTest, AcceptsStrangeNamesOfFiles) {
    for (const std::string name : {"with space.cu", "quote\"s.cu", "apostrophe's.cu", "back\\slash.cu", "$(x);&.cu",
                                   "-leading.cu", "@list.cu", "100%.cu"}) {
        const auto read = read_kernel_file(scratch_.write(name, kernel), {});
        EXPECT_EQ(read.kernels.at(0).file, scratch_.below(name).string());
        EXPECT_EQ(read.files, std::vector<std::string>{scratch_.below(name).string()});
    }
}

TEST_F(KernelFileTest, AcceptsRelativeNamesThatBeginWithADash) {
    scratch_.write("-x.cu", kernel);
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(scratch_.path());
    EXPECT_EQ(read_kernel_file("-x.cu", {}).kernels.at(0).file, "-x.cu");
    expect_contains(error_of_file("-y.cu"), "-y.cu: the file cannot be read");
    std::filesystem::current_path(before);
}

TEST_F(KernelFileTest, RejectsControlCharactersInNames) {
    for (const std::string name : {"line\nbreak.cu", "tab\t.cu", "escape\x1b.cu"}) {
        expect_contains(error_of_file(scratch_.write(name, kernel)), "has control characters");
    }
}

TEST_F(KernelFileTest, RejectsWrongOptions) {
    const std::filesystem::path file = scratch_.write("k.cu", kernel);
    for (const std::string define : {"", "=1", "1A=2", "A B=1", "A(x)=x", "A=1\n#error", "-DA", "A-"}) {
        expect_contains(error_of_file(file, {.defines = {define}}), "the define '");
    }
    expect_contains(error_of_file(file, {.standard = "c++99"}),
                    "c++99 is unknown; state one of c++11, c++14, c++17, c++20, c++23");
    expect_contains(error_of_file(file, {.includes = {scratch_.below("none")}}), "none is no folder");
    expect_contains(error_of_file(file, {.toolkit_includes = {file}}), "k.cu is no folder");
}

TEST_F(KernelFileTest, AcceptsEachStandardAndHostileValues) {
    for (const std::string standard : {"c++11", "c++14", "c++17", "c++20", "c++23"}) {
        EXPECT_EQ(read_text(kernel, {.standard = standard}).kernels.size(), 1u);
    }
    const auto read = read_text("__global__ void run(int a = VALUE, char b = *TEXT) {}",
                                {.defines = {"VALUE=(2 - -1)", "TEXT=\"a\\\"'; rm $HOME\"", "FLAG", "_A1="}});
    EXPECT_EQ(read.kernels.at(0).parameters.at(0).default_value, "3");
}

}  // namespace
}  // namespace cubind::testing
