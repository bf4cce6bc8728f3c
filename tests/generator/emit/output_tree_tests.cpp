// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/output_tree.hpp"

#include "emit/banner.hpp"
#include "support/scratch_folder.hpp"

#include <gtest/gtest.h>

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;
using gen::emit::compare;
using gen::emit::Outputs;
using gen::emit::with_banner;
using Reasons = std::map<std::string, std::string>;

std::size_t write(const std::filesystem::path& folder, const gen::emit::Outputs& outputs, const std::vector<std::string>& libraries) {
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

class OutputTree : public ::testing::Test {
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

TEST_F(OutputTree, is_written_whole) {
    EXPECT_EQ(write(folder_.path(), outputs_, {"toy"}), 2U);
    EXPECT_EQ(folder_.files(), outputs_);
    EXPECT_TRUE(differences().empty());
}

TEST_F(OutputTree, is_left_alone_where_nothing_changed) {
    write(folder_.path(), outputs_, {"toy"});
    const auto time = fs::last_write_time(folder_.below("toy/src/b.cpp"));
    outputs_["toy/include/a.hpp"] = generated("other\n");
    EXPECT_EQ(write(folder_.path(), outputs_, {"toy"}), 1U);
    EXPECT_EQ(fs::last_write_time(folder_.below("toy/src/b.cpp")), time);
    EXPECT_EQ(folder_.files(), outputs_);
}

TEST_F(OutputTree, tells_each_kind_of_difference) {
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

TEST_F(OutputTree, is_not_changed_by_comparing) {
    folder_.write("toy/src/b.cpp", "mine\n");
    folder_.write("toy/src/c.cpp", generated("c\n"));
    const auto before = folder_.files();
    EXPECT_FALSE(differences().empty());
    EXPECT_EQ(folder_.files(), before);
}

TEST_F(OutputTree, loses_only_leftovers_that_were_generated) {
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

TEST_F(OutputTree, judges_only_the_libraries_asked_for) {
    write(folder_.path(), outputs_, {"toy"});
    folder_.write("other/src/old.cpp", generated("old\n"));
    EXPECT_TRUE(differences().empty());
    EXPECT_EQ(differences({"toy", "other"}).size(), 1U);
}

TEST_F(OutputTree, may_stand_in_a_folder_that_is_not_there_yet) {
    EXPECT_EQ(write(folder_.below("deep/down"), outputs_, {"toy"}), 2U);
    EXPECT_EQ(folder_.read("deep/down/toy/src/b.cpp"), generated("b\n"));
    EXPECT_EQ(compare(folder_.below("nowhere"), outputs_, {"toy"}).size(), 2U);
}

TEST_F(OutputTree, a_file_is_replaced_and_never_rewritten) {
    // Somebody who has the old file open goes on reading the old text: the new one was written beside and renamed.
    const fs::path file = folder_.write("a.hpp", "old\n");
    fs::create_hard_link(file, folder_.below("kept.hpp"));
    write_one(file, "new\n");
    EXPECT_EQ(folder_.read("a.hpp"), "new\n");
    EXPECT_EQ(folder_.read("kept.hpp"), "old\n");
    EXPECT_EQ(folder_.files().size(), 2U) << "nothing is left beside it";
}

TEST_F(OutputTree, names_a_folder_that_cannot_be_made) {
    folder_.write("toy", "a file where the folder should be\n");
    const std::string message = input_error_of([&] { write(folder_.path(), outputs_, {"toy"}); });
    expect_contains(message, folder_.below("toy/include/a.hpp").string());
    expect_contains(message, "its folder cannot be created");
    expect_contains(message, "--output");
    EXPECT_EQ(folder_.files().size(), 1U);
}

TEST_F(OutputTree, names_a_file_that_cannot_be_replaced) {
    fs::create_directories(folder_.below("a.hpp/inside"));
    const std::string message = input_error_of([&] { write_one(folder_.below("a.hpp"), "text\n"); });
    expect_contains(message, folder_.below("a.hpp").string() + ": cannot be replaced");
    EXPECT_TRUE(folder_.files().empty()) << "what was written beside is gone";
}

TEST_F(OutputTree, names_a_file_that_cannot_be_written) {
    if (!fs::exists("/proc/self")) GTEST_SKIP() << "needs a folder in which nobody can make files, such as /proc";
    const std::string message = input_error_of([] { write_one("/proc/cubind_gen_tests.hpp", "text\n"); });
    expect_contains(message, "/proc/cubind_gen_tests.hpp: cannot be written (");
    EXPECT_EQ(message.find("Success"), std::string::npos) << message;
}

}  // namespace
}  // namespace cubind::testing
