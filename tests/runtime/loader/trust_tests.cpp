// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Files and folders that another user could change are not used. Most cases need root, which alone can give files to other users.
#include <fstream>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loader_test.hpp"
#include "platform/path_trust.hpp"

namespace cubind::testing {

namespace {

constexpr uid_t other_user = 12345;

void set_mode(const std::string& path, mode_t mode) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
}

}  // namespace

class LoaderTrustTest : public LoaderTest {
protected:
    LoaderTrustTest() { set("CUDA_PATH", folder_.string()); }

    // Gives a file, folder or link to a user; skips the test if this is not possible.
    static bool give(const std::string& path, uid_t user) { return geteuid() == 0 && lchown(path.c_str(), user, user) == 0; }

    void expect_refused(const std::string& reason) {
        expect_contains(message_of_missing(row_), reason);
        EXPECT_FALSE(was_opened(13)) << "the file was opened before it was refused";
    }

    Library& row_ = toolkit_row();
    const std::string file_ = place(13, std::string("lib64/") + soname);
};

TEST_F(LoaderTrustTest, RefusesAFileThatOthersMayWrite) {
    set_mode(file_, 0666);
    expect_refused("CUDA_PATH: " + file_ + ": " + file_ + " can be written by others (mode 0666)");
}

TEST_F(LoaderTrustTest, RefusesAFolderThatOthersMayWrite) {
    set_mode(below("lib64"), 0777);
    expect_refused(file_ + ": " + below("lib64") +
                   " can be written by others (mode 0777): not used; remove that permission: chmod");
}

TEST_F(LoaderTrustTest, RefusesAParentThatOthersMayWrite) {
    set_mode(folder_.string(), 0757);
    expect_refused(file_ + ": " + folder_.string() + " can be written by others (mode 0757)");
}

TEST_F(LoaderTrustTest, UsesAFileInAStickyFolder) {
    set_mode(below("lib64"), 01777);
    EXPECT_EQ(library_path(row_), file_);
}

TEST_F(LoaderTrustTest, RefusesAMissingFileThatOthersCanCreate) {
    const std::string missing = below("lib64/missing");
    EXPECT_EQ(detail::trust_problem(missing), "");
    set_mode(below("lib64"), 01777);
    expect_contains(detail::trust_problem(missing), missing + " does not exist, and others can create it");
    expect_contains(detail::trust_problem(missing + "/file"), missing + " does not exist, and others can create it");
    EXPECT_EQ(detail::trust_problem(missing, detail::PathUse::create_in_folder), "");
}

TEST_F(LoaderTrustTest, AcceptsAPathBelowAFileBecauseNothingIsThere) {
    set_mode(file_, 0666);
    EXPECT_EQ(detail::trust_problem(file_ + "/below"), "");
    EXPECT_EQ(detail::trust_problem("/dev/null/below", detail::PathUse::read_folder), "");
}

TEST_F(LoaderTrustTest, RefusesTheTargetOfASymbolicLink) {
    const std::string target = place(13, "open/real.so");
    set_mode(below("open"), 0777);
    std::filesystem::remove(file_);
    std::filesystem::create_symlink("../open/real.so", file_);
    expect_refused(file_ + ": " + below("open") + " can be written by others");
}

TEST_F(LoaderTrustTest, RefusesAnUnsafeOverride) {
    set_mode(file_, 0666);
    set(override_variable, file_);
    expect_refused("environment variable: " + file_ + ": " + file_ + " can be written by others");
}

TEST_F(LoaderTrustTest, UsesALaterPlaceAndNotesTheRefusedOne) {
    set_mode(file_, 0666);
    set("CUDA_HOME", below("home"));
    const std::string good = place(13, std::string("home/lib64/") + soname);
    EXPECT_EQ(library_path(row_), good);
    expect_contains(library_search_notes(row_), file_ + ": " + file_ + " can be written by others");
    expect_contains(library_search_notes(row_), "differs from $CUDA_HOME");
}

TEST_F(LoaderTrustTest, RefusesAGroupThatIsNotPrivate) {
    set_mode(file_, 0664);
    if (geteuid() != 0) GTEST_SKIP() << "the group of this user may be private";
    expect_refused(file_ + " can be written by others (mode 0664)");
}

TEST_F(LoaderTrustTest, RefusesAFileOfAnotherUser) {
    if (!give(file_, other_user)) GTEST_SKIP() << "needs root";
    expect_refused(file_ + " belongs to user 12345, not to root: not used");
}

TEST_F(LoaderTrustTest, RefusesWheelsInTheHomeOfAnotherUserForRoot) {
    std::filesystem::remove(file_);
    const std::string wheel = place(13, std::string("home/.local/lib/python3.11/site-packages/nvidia/cu13/lib/") + soname);
    set("HOME", below("home"));
    if (!give(below("home"), other_user)) GTEST_SKIP() << "needs root";
    expect_refused("Python wheel: " + wheel + ": " + below("home") + " belongs to user 12345");
}

TEST_F(LoaderTrustTest, RefusesALinkOfAnotherUser) {
    const std::string target = place(13, "real/real.so");
    std::filesystem::remove(file_);
    std::filesystem::create_symlink(target, file_);
    if (!give(file_, other_user)) GTEST_SKIP() << "needs root";
    expect_refused(file_ + " belongs to user 12345");
}

// Exits with 0 if a user other than root accepts its own files and those of its private group, and no other user's.
[[noreturn]] void check_as_other_user(const std::string& own, const std::string& foreign) {
    if (setgid(other_user) != 0 || setuid(other_user) != 0) std::exit(2);
    if (!detail::trust_problem(own).empty()) std::exit(3);
    const std::string problem = detail::trust_problem(foreign);
    std::exit(problem.find("belongs to user 12346, not to root or to user 12345") != std::string::npos ? 0 : 4);
}

TEST_F(LoaderTrustTest, AcceptsThePrivateGroupOfAUser) {
    const std::string own = place_text("own/own.so");
    const std::string foreign = place_text("foreign.so");
    set_mode(folder_.string(), 0755);
    set_mode(own, 0664);
    set_mode(below("own"), 0775);
    if (!give(own, other_user) || !give(below("own"), other_user) || !give(foreign, other_user + 1)) GTEST_SKIP() << "needs root";
    EXPECT_EXIT(check_as_other_user(own, foreign), ::testing::ExitedWithCode(0), "");
}

// Exits with 0 if files of users that a user namespace does not map are accepted in it, and with 77 if there are no namespaces.
[[noreturn]] void check_in_user_namespace(const std::string& foreign) {
    if (detail::trust_problem(foreign).empty()) std::exit(2);
    if (unshare(CLONE_NEWUSER) != 0) std::exit(77);
    std::ofstream map("/proc/self/uid_map");
    map << "0 0 1\n" << std::flush;
    if (!map) std::exit(77);
    std::exit(detail::trust_problem(foreign).empty() ? 0 : 3);
}

TEST_F(LoaderTrustTest, AcceptsUsersThatANamespaceDoesNotMap) {
    const std::string foreign = place_text("foreign.so");
    if (!give(foreign, other_user)) GTEST_SKIP() << "needs root";
    EXPECT_EXIT(
        check_in_user_namespace(foreign),
        [](int status) { return ::testing::ExitedWithCode(0)(status) || ::testing::ExitedWithCode(77)(status); }, "");
}

// The test runs copies of this program. Each copy checks the file that the variable names.
TEST_F(LoaderTrustTest, AcceptsTheOwnerOfTheProgram) {
    constexpr const char* variable = "CUBIND_TEST_FOREIGN_FILE";
    if (const char* const file = std::getenv(variable)) {
        ASSERT_EQ(detail::trust_problem(file), "");
        return;
    }
    const std::string foreign = place_text("foreign.so");
    const std::string program = below("program");
    std::filesystem::copy_file("/proc/self/exe", program);
    set_mode(folder_.string(), 0755);
    if (!give(foreign, other_user)) GTEST_SKIP() << "needs root";
    const std::string command = std::string(variable) + "=" + foreign + " " + program +
                                " --gtest_filter=LoaderTrustTest.AcceptsTheOwnerOfTheProgram > /dev/null";
    EXPECT_NE(std::system(command.c_str()), 0) << "the program belongs to root";
    ASSERT_TRUE(give(program, other_user));
    EXPECT_EQ(std::system(command.c_str()), 0);
}

// Exits with 0 if the message about a missing library states that the folders cannot be read.
[[noreturn]] void search_unreadable_folders(Library& row, const std::string& toolkit, const std::string& python) {
    if (setgid(other_user) != 0 || setuid(other_user) != 0) std::exit(2);
    const std::string message = message_of_missing(row);
    if (message.find(toolkit + ": cannot be read: Permission denied") == std::string::npos) std::exit(3);
    std::exit(message.find(python + ": cannot be read: Permission denied") != std::string::npos ? 0 : 4);
}

TEST_F(LoaderTrustTest, ReportsAnUnreadableFolder) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
    set("VIRTUAL_ENV", below("venv"));
    place(13, std::string("venv/lib/python3.11/site-packages/nvidia/cu13/lib/") + soname);
    set_mode(below("venv/lib"), 0700);
    set("CUDA_PATH", below("private/toolkit"));
    place(13, std::string("private/toolkit/lib64/") + soname);
    set_mode(folder_.string(), 0755);
    set_mode(below("private"), 0700);
    EXPECT_EXIT(search_unreadable_folders(row_, below("private/toolkit"), below("venv/lib")), ::testing::ExitedWithCode(0), "");
}

}  // namespace cubind::testing
