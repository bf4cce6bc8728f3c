// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "emit/banner.hpp"
#include "emit/output_tree.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;
using gen::emit::compare;
using gen::emit::Outputs;
using gen::emit::with_banner;
using Reasons = std::map<std::string, std::string>;

std::size_t write(const std::filesystem::path& folder, const gen::emit::Outputs& outputs,
                  const std::vector<std::string>& libraries) {
    gen::emit::FileBatch batch;
    const std::size_t changed = gen::emit::stage(folder, outputs, libraries, batch);
    batch.commit();
    return changed;
}

void write_one(const std::filesystem::path& file, const std::string& text) {
    gen::emit::FileBatch batch;
    batch.add(file, text);
    batch.commit();
}

class OutputTreeTest : public ::testing::Test {
protected:
    static std::string generated(const std::string& text) { return with_banner("a.hpp", text); }
    Reasons differences(const std::vector<std::string>& libraries = {"toy"}) const {
        Reasons found;
        for (const auto& each : compare(folder_.path(), outputs_, libraries)) found[each.path] = each.reason;
        return found;
    }

    ScratchFolder folder_;
    Outputs outputs_ = {{"toy/include/a.hpp", generated("a\n")}, {"toy/src/b.cpp", generated("b\n")}};
};

TEST_F(OutputTreeTest, WritesEveryFile) {
    EXPECT_EQ(write(folder_.path(), outputs_, {"toy"}), 2U);
    EXPECT_EQ(folder_.files(), outputs_);
    EXPECT_TRUE(differences().empty());
}

TEST_F(OutputTreeTest, LeavesUnchangedFilesUntouched) {
    write(folder_.path(), outputs_, {"toy"});
    const auto time = fs::last_write_time(folder_.below("toy/src/b.cpp"));
    outputs_["toy/include/a.hpp"] = generated("other\n");
    EXPECT_EQ(write(folder_.path(), outputs_, {"toy"}), 1U);
    EXPECT_EQ(fs::last_write_time(folder_.below("toy/src/b.cpp")), time);
    EXPECT_EQ(folder_.files(), outputs_);
}

TEST_F(OutputTreeTest, ReportsEachKindOfDifference) {
    write(folder_.path(), outputs_, {"toy"});
    folder_.write("toy/include/a.hpp", generated("earlier\n"));
    fs::remove(folder_.below("toy/src/b.cpp"));
    folder_.write("toy/src/c.cpp", generated("c\n"));
    outputs_["toy/src/d.cpp"] = generated("d\n");
    folder_.write("toy/src/d.cpp", outputs_["toy/src/d.cpp"] + "// mine\n");
    outputs_["toy/src/e.cpp"] = generated("e\n");
    folder_.write("toy/src/e.cpp", "all mine\n");
    const Reasons found = differences();
    EXPECT_EQ(found.size(), 5U);
    expect_contains(found.at("toy/include/a.hpp"), "is stale");
    expect_contains(found.at("toy/src/b.cpp"), "is missing");
    expect_contains(found.at("toy/src/c.cpp"), "is left over");
    expect_contains(found.at("toy/src/d.cpp"), "was edited by hand");
    expect_contains(found.at("toy/src/e.cpp"), "was edited by hand");
}

TEST_F(OutputTreeTest, ComparesWithoutWriting) {
    folder_.write("toy/src/b.cpp", "mine\n");
    folder_.write("toy/src/c.cpp", generated("c\n"));
    const auto before = folder_.files();
    EXPECT_FALSE(differences().empty());
    EXPECT_EQ(folder_.files(), before);
}

TEST_F(OutputTreeTest, RemovesOnlyGeneratedLeftovers) {
    folder_.write("toy/src/old.cpp", generated("old\n"));
    folder_.write("toy/src/edited.cpp", generated("edited\n") + "// mine\n");
    folder_.write("toy/notes.txt", "mine\n");
    folder_.write("other/src/old.cpp", generated("of another library\n"));
    EXPECT_EQ(write(folder_.path(), outputs_, {"toy"}), 4U);
    auto expected = outputs_;
    expected["toy/notes.txt"] = "mine\n";
    expected["other/src/old.cpp"] = generated("of another library\n");
    EXPECT_EQ(folder_.files(), expected);
}

TEST_F(OutputTreeTest, ComparesOnlyTheNamedLibraries) {
    write(folder_.path(), outputs_, {"toy"});
    folder_.write("other/src/old.cpp", generated("old\n"));
    EXPECT_TRUE(differences().empty());
    EXPECT_EQ(differences({"toy", "other"}).size(), 1U);
}

TEST_F(OutputTreeTest, CreatesAMissingFolder) {
    EXPECT_EQ(write(folder_.below("deep/down"), outputs_, {"toy"}), 2U);
    EXPECT_EQ(folder_.read("deep/down/toy/src/b.cpp"), generated("b\n"));
    EXPECT_EQ(compare(folder_.below("nowhere"), outputs_, {"toy"}).size(), 2U);
}

TEST_F(OutputTreeTest, RemovesWhatAKilledProcessHasStaged) {
    folder_.write("toy/src/b.cpp.new123", "");  // killed before it wrote the banner
    folder_.write("toy/include/a.hpp.new4", generated("a\n"));
    folder_.write("toy/src/b.cpp.new", "mine\n");
    folder_.write("toy/src/b.cpp.newer", "mine\n");
    write(folder_.path(), outputs_, {"toy"});
    auto expected = outputs_;
    expected["toy/src/b.cpp.new"] = expected["toy/src/b.cpp.newer"] = "mine\n";
    EXPECT_EQ(folder_.files(), expected);
}

TEST_F(OutputTreeTest, ReplacesAFileByRenaming) {
    // A program that has the old file open still reads the old text, because the new file is written separately and renamed.
    const fs::path file = folder_.write("a.hpp", "old\n");
    fs::create_hard_link(file, folder_.below("link.hpp"));
    write_one(file, "new\n");
    EXPECT_EQ(folder_.read("a.hpp"), "new\n");
    EXPECT_EQ(folder_.read("link.hpp"), "old\n");
    EXPECT_EQ(folder_.files().size(), 2U) << "no temporary file is left";
}

TEST_F(OutputTreeTest, ReportsAFolderThatCannotBeCreated) {
    folder_.write("toy", "a file in place of the folder\n");
    const std::string message = input_error_of([&] { write(folder_.path(), outputs_, {"toy"}); });
    expect_contains(message, folder_.below("toy/include/a.hpp").string());
    expect_contains(message, "folder");
    expect_contains(message, "--output");
    EXPECT_EQ(folder_.files().size(), 1U);
}

TEST_F(OutputTreeTest, ReportsAFileThatCannotBeReplaced) {
    fs::create_directories(folder_.below("a.hpp/inside"));
    const std::string message = input_error_of([&] { write_one(folder_.below("a.hpp"), "text\n"); });
    expect_contains(message, folder_.below("a.hpp").string());
    expect_contains(message, "cannot be replaced");
    EXPECT_TRUE(folder_.files().empty()) << "the temporary file was not removed";
}

TEST_F(OutputTreeTest, ReportsAFileThatCannotBeWritten) {
    if (!fs::exists("/proc/self")) GTEST_SKIP() << "this test requires a folder that is not writable, such as /proc";
    const std::string message = input_error_of([] { write_one("/proc/cubind_gen_tests.hpp", "text\n"); });
    expect_contains(message, "/proc/cubind_gen_tests.hpp");
    expect_contains(message, "cannot be written");
    EXPECT_EQ(message.find("Success"), std::string::npos) << message;
}

}  // namespace
}  // namespace cubind::testing
