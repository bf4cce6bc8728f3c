// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "platform/file.hpp"

namespace {

namespace fs = std::filesystem;
using namespace cubind::detail;

class FilesTest : public ::testing::Test {
protected:
    FilesTest() : folder_(fs::temp_directory_path() / ("cubind_platform_" + std::to_string(getpid()))) {
        fs::create_directories(folder_);
    }
    ~FilesTest() override { fs::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name)) << text;
        return path(name);
    }

    const fs::path folder_;
};

TEST_F(FilesTest, StatesTheFactsOfAFile) {
    const std::string name = write("file", "12345");
    ASSERT_EQ(chmod(name.c_str(), 04640), 0);
    fs::create_symlink("file", path("link"));
    FileStatus file, link, followed, folder;
    ASSERT_EQ(status_of_path(name.c_str(), file), 0);
    ASSERT_EQ(status_of_path(path("link").c_str(), link, Links::not_followed), 0);
    ASSERT_EQ(status_of_path(path("link").c_str(), followed), 0);
    ASSERT_EQ(status_of_path(folder_.c_str(), folder), 0);
    EXPECT_EQ(file.kind, FileKind::regular);
    EXPECT_EQ(file.size, 5u);
    EXPECT_EQ(file.permissions, 04640u);
    EXPECT_EQ(file.owner, geteuid());
    EXPECT_EQ(file.owner, effective_user());
    EXPECT_EQ(link.kind, FileKind::symbolic_link);
    EXPECT_FALSE(file.is_same_file(link));
    EXPECT_TRUE(file.is_same_file(followed));
    EXPECT_EQ(folder.kind, FileKind::folder);
    EXPECT_EQ(status_of_path(path("none").c_str(), file), ENOENT);
    EXPECT_EQ(status_of_file(-1, file), EBADF);
}

TEST_F(FilesTest, ChangesThePermissionsTheSizeAndTheTime) {
    const Descriptor file = create_file(path("file").c_str(), 0600);
    ASSERT_TRUE(file);
    FileStatus before, after;
    ASSERT_EQ(status_of_file(file.number(), before), 0);
    EXPECT_EQ(set_permissions(file.number(), 0400), 0);
    EXPECT_EQ(set_file_size(file.number(), 3), 0);
    EXPECT_EQ(mark_as_changed(file.number()), 0);
    EXPECT_EQ(store_durably(file.number()), 0);
    ASSERT_EQ(status_of_file(file.number(), after), 0);
    EXPECT_EQ(after.permissions, 0400u);
    EXPECT_EQ(after.size, 3u);
    EXPECT_LT(before.modified, after.modified);
    EXPECT_FALSE(create_file(path("file").c_str(), 0600));
    EXPECT_EQ(errno, EEXIST);
}

TEST_F(FilesTest, OpensNoEntryThroughALink) {
    write("file", "text");
    fs::create_symlink("file", path("link"));
    const Descriptor folder = open_folder(folder_.c_str());
    EXPECT_TRUE(open_entry_to_read(folder.number(), "file"));
    EXPECT_FALSE(open_entry_to_read(folder.number(), "link"));
    EXPECT_FALSE(open_entry_to_write(folder.number(), "link", Creation::if_absent));
    EXPECT_FALSE(open_entry_to_write(folder.number(), "none", Creation::never));
    EXPECT_TRUE(open_entry_to_write(folder.number(), "file", Creation::if_absent));
    EXPECT_FALSE(open_entry_to_write(folder.number(), "file", Creation::always));
    EXPECT_TRUE(open_entry_to_write(folder.number(), "new", Creation::always));
    EXPECT_EQ(rename_entry(folder.number(), "new", "file"), 0);
    EXPECT_EQ(remove_entry(folder.number(), "new"), ENOENT);
    EXPECT_EQ(fs::file_size(path("file")), 0u);
}

TEST_F(FilesTest, ReadsToTheEnd) {
    const Descriptor file = open_to_read(write("file", "12345").c_str());
    char text[4] = {};
    EXPECT_EQ(read_all(file.number(), text, 3).bytes, 3u);
    EXPECT_STREQ(text, "123");
    const ReadResult rest = read_all(file.number(), text, 3);
    EXPECT_EQ(rest.bytes, 2u);
    EXPECT_EQ(rest.error, 0);
    EXPECT_EQ(read_all(-1, text, 3).error, EBADF);
}

// What the program prints must not go to the file.
TEST_F(FilesTest, HasNoNumberOfAStandardStream) {
    const int input = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
    ::close(0);
    const Descriptor created = create_file(path("new").c_str(), 0600);
    const FileHandle changed = open_to_change(path("new").c_str());
    const bool is_free = ::fcntl(0, F_GETFD) < 0;
    if (input >= 0) ::dup2(input, 0);
    ::close(input);
    EXPECT_TRUE(is_free);
    EXPECT_GT(created.number(), 2);
    EXPECT_NE(changed, nullptr);
    EXPECT_EQ(open_to_change(path("none").c_str()), nullptr);
}

TEST_F(FilesTest, OpeningAFifoDoesNotBlock) {
    ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
    EXPECT_TRUE(open_to_read(path("fifo").c_str()));
    EXPECT_FALSE(open_to_append(path("fifo").c_str(), 0600)) << "nobody reads it";
    EXPECT_EQ(errno, ENXIO);
}

TEST_F(FilesTest, ListsAFolderFromItsBeginning) {
    write("a", "");
    write("b", "");
    const Descriptor folder = open_folder(folder_.c_str());
    for (int i = 0; i < 2; ++i) {
        std::vector<std::string> names;
        EXPECT_EQ(list_folder(folder.number(), names), 0);
        EXPECT_THAT(names, ::testing::UnorderedElementsAre("a", "b"));
    }
    std::vector<std::string> names;
    EXPECT_EQ(list_folder(folder_.c_str(), names), 0);
    EXPECT_THAT(names, ::testing::UnorderedElementsAre("a", "b"));
    EXPECT_EQ(list_folder(path("a").c_str(), names), ENOTDIR);
    EXPECT_EQ(list_folder(-1, names), EBADF);
}

TEST_F(FilesTest, LocksAFileAgainstOtherDescriptors) {
    const std::string name = write("file", "");
    const Descriptor first = open_to_read(name.c_str());
    const Descriptor second = open_to_read(name.c_str());
    EXPECT_EQ(try_lock_file(first.number()), LockAttempt::acquired);
    EXPECT_EQ(try_lock_file(second.number()), LockAttempt::held_by_other);
    unlock_file(first.number());
    EXPECT_EQ(try_lock_file(second.number()), LockAttempt::acquired);
    EXPECT_EQ(try_lock_file(-1), LockAttempt::impossible);
}

TEST_F(FilesTest, FindsTheRealPath) {
    write("file", "");
    fs::create_symlink("file", path("link"));
    std::string real;
    EXPECT_EQ(find_real_path(path("link").c_str(), real), 0);
    EXPECT_EQ(real, fs::canonical(path("file")));
    EXPECT_EQ(find_real_path(path("none").c_str(), real), ENOENT);
}

}  // namespace
