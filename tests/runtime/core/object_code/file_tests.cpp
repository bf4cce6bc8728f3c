// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "code_test.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace cubind::testing {
namespace {

/// With a folder that is removed again.
class CodeFileTest : public CodeTest {
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

TEST_F(CodeFileTest, GoesToAFileAndBack) {
    code().save(path("code.ptx"));
    const ObjectCode read = ObjectCode::from_file(CodeType::ptx, path("code.ptx"));
    EXPECT_EQ(read.shared_bytes(), code().shared_bytes());
    EXPECT_EQ(read.name(), path("code.ptx"));
    EXPECT_EQ(read.kernel("saxpy").name(), "saxpy");
    EXPECT_EQ(ObjectCode::from_file(CodeType::ptx, path("code.ptx"), {.name = "mine"}).name(), "mine");
    EXPECT_EQ(files(), 1u);
}

TEST_F(CodeFileTest, TakesThePlaceOfAnotherFile) {
    std::ofstream(path("code.ptx")) << "older and much longer than what comes";
    const ObjectCode shorter = ObjectCode::from_bytes(CodeType::ptx, std::string_view("new"));
    shorter.save(path("code.ptx"));
    EXPECT_EQ(std::filesystem::file_size(path("code.ptx")), 3u);
    EXPECT_EQ(files(), 1u);
}

TEST_F(CodeFileTest, SaysWhyNothingCanBeWritten) {
    const std::string nowhere = path("no/such/folder/code.ptx");
    EXPECT_THAT(message_of<std::system_error>([&] { code().save(nowhere); }), AllOf(HasSubstr(nowhere), HasSubstr("No such file")));
    std::filesystem::create_directory(path("folder"));
    EXPECT_THROW(code().save(path("folder")), std::system_error) << "a folder keeps its place";
    EXPECT_EQ(files(), 1u) << "and nothing is left beside it";
}

TEST_F(CodeFileTest, SaysWhyNothingCanBeRead) {
    const auto message = [&](const char* name) {
        return message_of<LoadError>([&] { (void)ObjectCode::from_file(CodeType::cubin, path(name)); });
    };
    EXPECT_THAT(message("absent"), AllOf(HasSubstr("CUDA_ERROR_FILE_NOT_FOUND"), HasSubstr(path("absent"))));
    std::ofstream(path("empty")).close();
    EXPECT_THAT(message("empty"), HasSubstr("the file is empty"));
    std::filesystem::create_directory(path("folder"));
    EXPECT_THAT(message("folder"), AllOf(HasSubstr("CUDA_ERROR_OPERATING_SYSTEM"), HasSubstr("Is a directory")));
}

TEST_F(CodeFileTest, SaysWhoMayNotRead) {
    if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
    code().save(path("secret"));
    std::filesystem::permissions(path("secret"), std::filesystem::perms::none);
    EXPECT_THAT(message_of<LoadError>([&] { (void)ObjectCode::from_file(CodeType::ptx, path("secret")); }), HasSubstr("Permission denied"));
}

}  // namespace
}  // namespace cubind::testing
