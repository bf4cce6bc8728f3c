// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
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

TEST_F(ObjectCodeFileTest, ReportsWhyAFileCannotBeRead) {
    const auto message = [&](const char* name) {
        return message_of<LoadError>([&] { (void)ObjectCode::from_file(CodeType::cubin, path(name)); });
    };
    EXPECT_THAT(message("absent"), AllOf(HasSubstr("CUDA_ERROR_FILE_NOT_FOUND"), HasSubstr(path("absent"))));
    std::ofstream(path("empty")).close();
    EXPECT_THAT(message("empty"), HasSubstr("the file is empty"));
    std::filesystem::create_directory(path("folder"));
    EXPECT_THAT(message("folder"), AllOf(HasSubstr("CUDA_ERROR_OPERATING_SYSTEM"), HasSubstr("Is a directory")));
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
