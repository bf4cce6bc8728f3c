// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Files that are no usable library are refused before the OS loader opens them.
#include <cstdint>
#include <elf.h>
#include <fstream>
#include <sys/stat.h>

#include "loader_test.hpp"
#include "platform/elf_file.hpp"

namespace cubind::testing {

class LoaderBrokenFileTest : public LoaderTest {
protected:
    LoaderBrokenFileTest() { set("CUDA_PATH", folder_.string()); }

    void expect_refused(const std::string& reason) {
        expect_contains(message_of_missing(row_), "CUDA_PATH: " + file_ + ": " + reason);
        EXPECT_FALSE(was_opened(13));
        EXPECT_FALSE(was_opened(12));
    }

    // Writes a value into the file.
    template <class Value>
    void patch(std::size_t offset, Value value) const {
        std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(offset));
        file.write(reinterpret_cast<const char*>(&value), sizeof value);
    }

    Library& row_ = toolkit_row();
    const std::string file_ = place(13, std::string("lib64/") + soname);
};

TEST_F(LoaderBrokenFileTest, AcceptsTheWholeFileAndReadsItsSoname) {
    const detail::ElfFile elf = detail::examine_elf_file(file_);
    EXPECT_EQ(elf.problem, "");
    EXPECT_EQ(elf.soname, soname);
}

TEST_F(LoaderBrokenFileTest, RefusesEveryTruncation) {
    const auto size = std::filesystem::file_size(file_);
    for (std::uintmax_t length = size; length-- > 0; length -= std::min<std::uintmax_t>(length, size / 500)) {
        std::filesystem::resize_file(file_, length);
        EXPECT_NE(detail::examine_elf_file(file_).problem, "") << length << " of " << size << " bytes";
    }
}

TEST_F(LoaderBrokenFileTest, ReportsATruncatedFileWithItsSize) {
    const auto size = std::filesystem::file_size(file_);
    std::filesystem::resize_file(file_, size / 2);
    expect_refused("is truncated: it has " + std::to_string(size / 2) + " bytes, but its section headers end at byte ");
}

TEST_F(LoaderBrokenFileTest, RefusesSegmentsBehindTheEndOfAFileWithoutSections) {
    const auto size = std::filesystem::file_size(file_);
    patch(offsetof(Elf64_Ehdr, e_shoff), Elf64_Off{0});
    EXPECT_EQ(detail::examine_elf_file(file_).problem, "");
    std::filesystem::resize_file(file_, size / 4);
    expect_refused("is truncated: it has " + std::to_string(size / 4) + " bytes, but its segments end at byte ");
}

TEST_F(LoaderBrokenFileTest, RefusesSizesThatOverflow) {
    patch(offsetof(Elf64_Ehdr, e_shoff), ~Elf64_Off{0});
    expect_refused("is truncated: it has " + std::to_string(std::filesystem::file_size(file_)) +
                   " bytes, but its section headers end at byte an impossible position");
}

TEST_F(LoaderBrokenFileTest, RefusesAnotherProcessor) {
#if defined(__aarch64__)
    patch(offsetof(Elf64_Ehdr, e_machine), Elf64_Half{EM_X86_64});
    expect_refused("is a library for x86-64, but this process runs on AArch64");
#else
    patch(offsetof(Elf64_Ehdr, e_machine), Elf64_Half{EM_AARCH64});
    expect_refused("is a library for AArch64, but this process runs on x86-64");
#endif
}

TEST_F(LoaderBrokenFileTest, RefusesA32BitLibrary) {
    patch(EI_CLASS, static_cast<unsigned char>(ELFCLASS32));
    expect_refused("is a 32-bit library");
}

TEST_F(LoaderBrokenFileTest, RefusesABigEndianLibrary) {
    patch(EI_DATA, static_cast<unsigned char>(ELFDATA2MSB));
    expect_refused("is a big-endian library");
}

TEST_F(LoaderBrokenFileTest, RefusesAnObjectFile) {
    patch(offsetof(Elf64_Ehdr, e_type), Elf64_Half{ET_REL});
    expect_refused("is an object file, not a shared library");
}

TEST_F(LoaderBrokenFileTest, RefusesAText) {
    std::filesystem::remove(file_);
    place_text(std::string("lib64/") + soname);
    expect_refused("is not a library: it has no ELF header");
}

TEST_F(LoaderBrokenFileTest, RefusesAnEmptyFile) {
    std::filesystem::resize_file(file_, 0);
    expect_refused("is not a library: it has no ELF header");
}

TEST_F(LoaderBrokenFileTest, RefusesALoopOfSymbolicLinks) {
    std::filesystem::remove(file_);
    std::filesystem::create_symlink("other", file_);
    std::filesystem::create_symlink(soname, below("lib64/other"));
    expect_refused("is a loop of symbolic links");
}

TEST_F(LoaderBrokenFileTest, RefusesALinkToNothing) {
    std::filesystem::remove(file_);
    std::filesystem::create_symlink("nothing", file_);
    expect_refused("is a symbolic link to a file that does not exist");
}

TEST_F(LoaderBrokenFileTest, RefusesAFolderThatIsALoop) {
    std::filesystem::remove_all(below("lib64"));
    std::filesystem::create_symlink("lib64", below("lib64"));
    expect_contains(message_of_missing(row_), "CUDA_PATH: " + below("lib64") + ": is a loop of symbolic links");
}

TEST_F(LoaderBrokenFileTest, RefusesAFifoWithoutWaitingForIt) {
    std::filesystem::remove(file_);
    ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
    expect_refused("not a regular file");
}

TEST_F(LoaderBrokenFileTest, NamesTheMajorInTheSonameWithoutOpeningTheFile) {
    row_.version_function = nullptr;
    std::filesystem::remove(file_);
    place(12, std::string("lib64/") + soname);
    expect_refused("is major 12, but major 13 is needed: its soname is libcubind_stand_in.so.12");
}

TEST_F(LoaderBrokenFileTest, ReportsAVariableThatNamesNoFolder) {
    set("CUDA_PATH", below("nowhere"));
    expect_contains(message_of_missing(row_), "CUDA_PATH: $CUDA_PATH: " + below("nowhere") + ": no such folder");
}

}  // namespace cubind::testing
