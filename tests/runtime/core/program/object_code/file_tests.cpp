// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <system_error>
#include <unistd.h>

#include "code_test.hpp"

namespace cubind::testing {
namespace {

/// A fixture with a temporary folder.
class ObjectCodeFileTest : public CodeTest {
protected:
    void SetUp() override {
        CodeTest::SetUp();
        std::string name = (std::filesystem::temp_directory_path() / "cubind-code-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
    }
    void TearDown() override {
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
        std::filesystem::remove_all(folder);
        CodeTest::TearDown();
    }
    std::string path(const char* name) const { return (folder / name).string(); }
    std::size_t files() const { return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {})); }

    std::filesystem::path folder;
};

TEST_F(ObjectCodeFileTest, SavesAndLoads) {
    code().save(path("code.ptx"));
    const ObjectCode read = ObjectCode::from_file(CodeType::ptx, path("code.ptx"));
    EXPECT_EQ(read.shared_bytes(), code().shared_bytes());
    EXPECT_EQ(read.name(), path("code.ptx"));
    EXPECT_EQ(read.kernel("saxpy").name(), "saxpy");
    EXPECT_EQ(ObjectCode::from_file(CodeType::ptx, path("code.ptx"), {.name = "mine"}).name(), "mine");
    EXPECT_EQ(files(), 1u);
}

TEST_F(ObjectCodeFileTest, ReplacesAnExistingFile) {
    std::ofstream(path("code.ptx")) << "older and much longer than the new content";
    const ObjectCode shorter = ObjectCode::from_bytes(CodeType::ptx, std::string_view("new"));
    shorter.save(path("code.ptx"));
    EXPECT_EQ(std::filesystem::file_size(path("code.ptx")), 3u);
    EXPECT_EQ(files(), 1u);
}

TEST_F(ObjectCodeFileTest, ReportsWhyAFileCannotBeWritten) {
    const std::string missing = path("no/such/folder/code.ptx");
    EXPECT_THAT(message_of<std::system_error>([&] { code().save(missing); }),
                AllOf(HasSubstr(missing), HasSubstr("No such file")));
    std::filesystem::create_directory(path("folder"));
    EXPECT_THROW(code().save(path("folder")), std::system_error) << "a folder is not replaced";
    EXPECT_EQ(files(), 1u) << "no temporary file remains";
}

TEST_F(ObjectCodeFileTest, ReplacesOnlyRegularFiles) {
    const auto refusal = [&](const char* name) { return message_of<std::system_error>([&] { code().save(path(name)); }); };
    std::ofstream(path("target")) << "old";
    std::filesystem::create_symlink("target", path("link"));
    std::filesystem::create_symlink("absent", path("dangling"));
    for (const char* const link : {"link", "dangling"}) {
        EXPECT_THAT(refusal(link), AllOf(HasSubstr(path(link)), HasSubstr("symbolic link")));
        EXPECT_TRUE(std::filesystem::is_symlink(path(link)));
    }
    ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
    EXPECT_THAT(refusal("fifo"), HasSubstr("not a regular file"));
    std::filesystem::create_directory(path("folder"));
    EXPECT_THAT(refusal("folder"), HasSubstr("not a regular file"));
    EXPECT_EQ(files(), 5u) << "no temporary file remains";
    EXPECT_EQ(std::filesystem::file_size(path("target")), 3u);
}

TEST_F(ObjectCodeFileTest, DoesNotReplaceADevice) {
    // Only root can create a device node.
    if (mknod(path("null").c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) GTEST_SKIP() << "no permission to create a device node";
    EXPECT_THAT(message_of<std::system_error>([&] { code().save(path("null")); }), HasSubstr("not a regular file"));
    EXPECT_TRUE(std::filesystem::is_character_file(path("null")));
}

TEST_F(ObjectCodeFileTest, DoesNotReplaceAReadOnlyFile) {
    std::ofstream(path("code.ptx")) << "old";
    std::filesystem::permissions(path("code.ptx"), std::filesystem::perms{0444});
    EXPECT_THAT(message_of<std::system_error>([&] { code().save(path("code.ptx")); }),
                AllOf(HasSubstr(path("code.ptx")), HasSubstr("read-only"), HasSubstr("Permission denied")));
    EXPECT_EQ(std::filesystem::file_size(path("code.ptx")), 3u);
}

TEST_F(ObjectCodeFileTest, RetainsThePermissionsOfAFile) {
    std::ofstream(path("code.ptx")) << "old";
    for (const auto mode : {std::filesystem::perms{0600}, std::filesystem::perms{0660}}) {
        std::filesystem::permissions(path("code.ptx"), mode);
        code().save(path("code.ptx"));
        EXPECT_EQ(std::filesystem::status(path("code.ptx")).permissions(), mode);
    }
    const mode_t mask = umask(027);
    code().save(path("new.ptx"));
    umask(mask);
    EXPECT_EQ(std::filesystem::status(path("new.ptx")).permissions(), std::filesystem::perms{0640});
}

// A process that is killed leaves its temporary file, and a later process may have the same process ID.
TEST_F(ObjectCodeFileTest, SavesBesideTemporaryFilesOfAProcessWithTheSameId) {
    for (int count = 0; count < 100; ++count) {
        std::ofstream(path("code.ptx") + "." + std::to_string(getpid()) + "-" + std::to_string(count) + ".new") << "old";
    }
    EXPECT_NO_THROW(code().save(path("code.ptx")));
    EXPECT_NO_THROW(code().save(path(std::string(255, 'x').c_str()))) << "the longest name";
}

TEST_F(ObjectCodeFileTest, ReportsAFullDisk) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit limit{0, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const std::string message = message_of<std::system_error>([&] { code().save(path("code.ptx")); });
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_THAT(message, AllOf(HasSubstr(path("code.ptx")), HasSubstr("File too large")));
    EXPECT_EQ(files(), 0u);
}

TEST_F(ObjectCodeFileTest, RejectsNamesWithANul) {
    const std::string name("a\0b", 3);
    const auto refusal = [&](const auto& operation) { return message_of<std::invalid_argument>(operation); };
    EXPECT_THAT(refusal([&] { code().save(path("") + name); }), AllOf(HasSubstr("ObjectCode::save"), HasSubstr("a NUL at byte")));
    EXPECT_THAT(refusal([&] { (void)ObjectCode::from_file(CodeType::ptx, name); }), HasSubstr("a NUL at byte 1 of 3"));
    EXPECT_THAT(refusal([&] { (void)code().kernel(std::string("saxpy\0x", 7)); }), HasSubstr("a NUL at byte 5 of 7"));
    EXPECT_THAT(refusal([&] { (void)code().global(name); }), HasSubstr("a NUL at byte 1 of 3"));
    EXPECT_THAT(refusal([&] { (void)code().managed(name); }), HasSubstr("a NUL at byte 1 of 3"));
    const auto make = [](ObjectCodeOptions options) {
        (void)ObjectCode::from_bytes(CodeType::ptx, std::string_view("text"), std::move(options));
    };
    EXPECT_THAT(refusal([&] { make({.name = name}); }), HasSubstr("the name of an ObjectCode"));
    EXPECT_THAT(refusal([&] { make({.symbol_mapping = {{"f<int>", name}}}); }), HasSubstr("a symbol of an ObjectCode"));
    EXPECT_EQ(files(), 0u);
}

TEST_F(ObjectCodeFileTest, ReportsWhyAFileCannotBeRead) {
    const auto message = [&](const char* name) {
        return message_of<LoadError>([&] { (void)ObjectCode::from_file(CodeType::cubin, path(name)); });
    };
    EXPECT_THAT(message("absent"), AllOf(HasSubstr("CUDA_ERROR_FILE_NOT_FOUND"), HasSubstr(path("absent"))));
    std::ofstream(path("empty")).close();
    EXPECT_THAT(message("empty"), HasSubstr("the file is empty"));
    std::filesystem::create_directory(path("folder"));
    EXPECT_THAT(message("folder"), AllOf(HasSubstr("CUDA_ERROR_OPERATING_SYSTEM"), HasSubstr("not a regular file")));
}

TEST_F(ObjectCodeFileTest, RefusesFilesThatMayHaveNoEnd) {
    const auto refused =
        AllOf(HasSubstr("ObjectCode::from_file"), HasSubstr("CUDA_ERROR_OPERATING_SYSTEM"), HasSubstr("not a regular file"));
    EXPECT_THAT(message_of<LoadError>([] { (void)ObjectCode::from_file(CodeType::ptx, "/dev/zero"); }), refused);
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    EXPECT_THAT(message_of<LoadError>([&] { (void)ObjectCode::from_file(CodeType::ptx, path("pipe")); }), refused);
}

TEST_F(ObjectCodeFileTest, ReportsMissingPermissions) {
    if (geteuid() == 0) GTEST_SKIP() << "root can read every file";
    code().save(path("secret"));
    std::filesystem::permissions(path("secret"), std::filesystem::perms::none);
    EXPECT_THAT(message_of<LoadError>([&] { (void)ObjectCode::from_file(CodeType::ptx, path("secret")); }),
                HasSubstr("Permission denied"));
}

}  // namespace
}  // namespace cubind::testing
