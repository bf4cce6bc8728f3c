// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache_test.hpp"

namespace cubind::testing {
namespace {

constexpr uid_t third_user = 12345;

class CachePermissionTest : public FileCacheTest {
protected:
    /// Whether new files belong to a group that contains only their owner.
    static bool has_private_group() { return ::geteuid() != 0 && ::geteuid() == ::getegid(); }

    /// Expects that a program is compiled and returned although the cache cannot store it. Returns the report.
    static std::string compile_without(ProgramCache& cache) {
        return reports([&] {
            int compiles = 0;
            for (int turn = 0; turn < 2; ++turn) {
                EXPECT_EQ(cache.get_or_compile(key(1), [&] { return ++compiles, program(20000); }), program(20000));
            }
            EXPECT_EQ(compiles, 2);
        });
    }
};

TEST_F(CachePermissionTest, RejectsAFolderThatOthersCanWrite) {
    FileProgramCache cache(options());
    cache.put(key(1), program(20000));
    for (const mode_t mode : {0720u, 0702u, 0777u, 01777u}) {
        if (mode == 0720 && has_private_group()) continue;
        ASSERT_EQ(::chmod(folder.c_str(), mode), 0);
        const std::string report = compile_without(cache);
        EXPECT_THAT(report, HasSubstr(folder.string()));
        EXPECT_THAT(report, HasSubstr("can be written by others"));
        EXPECT_THAT(report, HasSubstr("chmod go-w"));
        EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 1) << report;
    }
    ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
    EXPECT_THAT(reports([&] { EXPECT_TRUE(cache.get(key(1))) << "a folder that others can read is accepted"; }), IsEmpty());
}

TEST_F(CachePermissionTest, RejectsAFolderOfAnotherUser) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
    std::filesystem::create_directory(folder);
    ASSERT_EQ(::chown(folder.c_str(), third_user, third_user), 0);
    const NotRoot not_root(scratch);
    FileProgramCache cache(options());
    const std::string report = compile_without(cache);
    EXPECT_THAT(report, HasSubstr(folder.string() + " belongs to user 12345, not to root or to user 65534"));
    EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 1) << report;
}

TEST_F(CachePermissionTest, AcceptsThePrivateGroupOfAUser) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
    const std::filesystem::path home = scratch / "home";
    std::filesystem::create_directory(home);
    ASSERT_EQ(::chmod(scratch.c_str(), 0755), 0);
    ASSERT_EQ(::chmod(home.c_str(), 0775), 0);
    ASSERT_EQ(::chown(home.c_str(), ordinary_user, ordinary_user), 0);
    const NotRoot not_root(home);
    FileProgramCache cache({.directory = (home / "programs").string()});
    EXPECT_THAT(reports([&] { cache.put(key(1), program(100)); }), IsEmpty());
    EXPECT_TRUE(cache.get(key(1)));
}

/// A cache that root has filled and that ordinary users can read.
class CacheOfRootTest : public CachePermissionTest {
protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "needs root";
        FileProgramCache(options()).put(key(2), program(100));
        ASSERT_EQ(::chmod(scratch.c_str(), 0755), 0);
        ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
        ASSERT_EQ(::chmod(entry(key(2)).c_str(), 0644), 0);
        std::filesystem::last_write_time(entry(key(2)), a_day_ago);
        std::filesystem::create_directory(scratch / "home");
    }

    const std::filesystem::file_time_type a_day_ago = std::filesystem::file_time_type::clock::now() - 24h;
};

TEST_F(CacheOfRootTest, IsReadAndNotChanged) {
    const NotRoot not_root(scratch / "home");
    FileProgramCache cache(options());
    EXPECT_THAT(reports([&] { EXPECT_EQ(cache.get(key(2)), program(100)); }), IsEmpty());
    EXPECT_TRUE(cache.contains(key(2)));
    EXPECT_EQ(cache.count(), 1u);
    EXPECT_THAT(compile_without(cache), IsEmpty());
    EXPECT_THAT(names(), ::testing::ElementsAre(key(2).to_string() + ".program"));
    EXPECT_EQ(std::filesystem::last_write_time(entry(key(2))), a_day_ago);
    EXPECT_EQ(cache.size_bytes(), 100 + entry_header_size);
}

TEST_F(CacheOfRootTest, ReportsThatNothingIsRemoved) {
    const NotRoot not_root(scratch / "home");
    FileProgramCache cache(options());
    EXPECT_THAT(reports([&] { cache.erase(key(2)); }), HasSubstr(folder.string() + " belongs to another user"));
    EXPECT_THAT(reports([&] { cache.clear(); }), IsEmpty());  // the same cause is reported once
    EXPECT_TRUE(cache.get(key(2)));
}

TEST_F(CacheOfRootTest, KeepsADamagedEntry) {
    write_file(entry(key(2)), "damaged");
    const NotRoot not_root(scratch / "home");
    FileProgramCache cache(options());
    EXPECT_THAT(reports([&] { EXPECT_FALSE(cache.get(key(2))); }), IsEmpty());
    EXPECT_EQ(cache.statistics().damaged, 1u);
    EXPECT_TRUE(std::filesystem::exists(entry(key(2))));
}

TEST_F(CacheOfRootTest, IsNotUsedIfOthersCanWriteToAnEntry) {
    ASSERT_EQ(::chmod(entry(key(2)).c_str(), 0666), 0);
    const NotRoot not_root(scratch / "home");
    FileProgramCache cache(options());
    EXPECT_FALSE(cache.get(key(2)));
    EXPECT_FALSE(cache.contains(key(2)));
    EXPECT_EQ(cache.count(), 0u);
}

TEST_F(CachePermissionTest, RejectsAFolderBelowOneThatOthersCanWrite) {
    const std::filesystem::path middle = scratch / "middle";
    FileProgramCache cache({.directory = (middle / "deep/programs").string()});
    cache.put(key(1), program(20000));
    EXPECT_TRUE(cache.get(key(1)));
    for (const mode_t mode : {0720u, 0702u, 0777u}) {
        if (mode == 0720 && has_private_group()) continue;
        ASSERT_EQ(::chmod(middle.c_str(), mode), 0);
        EXPECT_THAT(compile_without(cache), ::testing::AllOf(HasSubstr(": " + middle.string() + " can be written by others"),
                                                             HasSubstr("chmod go-w " + middle.string())));
    }
    ASSERT_EQ(::chmod(middle.c_str(), 01777), 0);
    EXPECT_TRUE(cache.get(key(1))) << "in a sticky folder, only the owner of an entry can rename it";
}

TEST_F(CachePermissionTest, ChecksTheTargetsOfSymbolicLinks) {
    const std::filesystem::path open = scratch / "open", closed = scratch / "closed", link = scratch / "link";
    std::filesystem::create_directories(open / "programs");
    std::filesystem::create_directories(closed);
    std::filesystem::create_symlink("closed/../open", link);
    FileProgramCache cache({.directory = (link / "programs").string()});
    cache.put(key(1), program(100));
    EXPECT_TRUE(cache.get(key(1)));
    ASSERT_EQ(::chmod(open.c_str(), 0777), 0);
    EXPECT_THAT(compile_without(cache), HasSubstr(open.string() + " can be written by others"));
    std::filesystem::remove(link);
    std::filesystem::create_symlink("link", link);
    EXPECT_THAT(compile_without(cache), HasSubstr("loop of symbolic links"));
}

TEST_F(CachePermissionTest, RejectsTheSymbolicLinkOfAnotherUser) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a link away";
    std::filesystem::create_directories(scratch / "real");
    std::filesystem::create_symlink("real", scratch / "link");
    ASSERT_EQ(::lchown((scratch / "link").c_str(), ordinary_user, ordinary_user), 0);
    ASSERT_EQ(::chmod(scratch.c_str(), 01777), 0);
    FileProgramCache cache({.directory = (scratch / "link/programs").string()});
    EXPECT_THAT(compile_without(cache), HasSubstr((scratch / "link").string() + " belongs to user 65534"));
    EXPECT_FALSE(std::filesystem::exists(scratch / "real/programs"));
}

// This happens with sudo, which may leave the caller's HOME in the environment.
TEST_F(CachePermissionTest, CreatesNothingInTheHomeOfAnotherUser) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
    ASSERT_EQ(::chown(scratch.c_str(), ordinary_user, ordinary_user), 0);
    ::unsetenv("XDG_CACHE_HOME");
    ::setenv("HOME", scratch.c_str(), 1);
    FileProgramCache cache;
    EXPECT_THAT(compile_without(cache), HasSubstr("belongs to user " + std::to_string(ordinary_user) + ", not to root"));
    EXPECT_TRUE(std::filesystem::is_empty(scratch));
}

TEST_F(CachePermissionTest, RemovesAFileThatOthersCanWrite) {
    FileProgramCache cache(options());
    for (const mode_t mode : {0620u, 0602u, 0666u}) {
        if (mode == 0620 && has_private_group()) continue;
        cache.put(key(1), program(100));
        ASSERT_EQ(::chmod(entry(key(1)).c_str(), mode), 0);
        EXPECT_FALSE(cache.get(key(1))) << mode;
        EXPECT_FALSE(std::filesystem::exists(entry(key(1)))) << mode;
    }
    EXPECT_EQ(cache.statistics().damaged, has_private_group() ? 2u : 3u);
}

TEST_F(CachePermissionTest, RemovesAFileOfAnotherUser) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
    FileProgramCache cache(options());
    cache.put(key(1), program(100));
    ASSERT_EQ(::chown(entry(key(1)).c_str(), 65534, 65534), 0);
    EXPECT_FALSE(cache.get(key(1)));
    EXPECT_EQ(cache.statistics().damaged, 1u);
}

TEST_F(CachePermissionTest, ReportsAnUnreadableFileAsAMiss) {
    const NotRoot not_root(scratch);
    FileProgramCache cache(options());
    cache.put(key(1), program(100));
    ASSERT_EQ(::chmod(entry(key(1)).c_str(), 0), 0);
    EXPECT_THAT(reports([&] { EXPECT_FALSE(cache.get(key(1))); }), HasSubstr(entry(key(1)).string() + ": Permission denied"));
    EXPECT_EQ(cache.statistics().damaged, 0u);
    cache.put(key(1), program(100));
    EXPECT_TRUE(cache.get(key(1)));
}

TEST_F(CachePermissionTest, ReadsFromAReadOnlyFolder) {
    const NotRoot not_root(scratch);
    FileProgramCache cache(options());
    cache.put(key(2), program(100));
    ASSERT_EQ(::chmod(folder.c_str(), 0500), 0);
    EXPECT_TRUE(cache.get(key(2)));
    EXPECT_THAT(compile_without(cache),
                HasSubstr("could not store a program: " + entry(key(1)).string() + ": Permission denied"));
    EXPECT_THAT(reports([&] { cache.erase(key(2)); }), HasSubstr("could not remove a stored program: " + entry(key(2)).string()));
    EXPECT_THAT(reports([&] { cache.clear(); }), IsEmpty()) << "reported before";
    ASSERT_EQ(::chmod(folder.c_str(), 0700), 0);
}

TEST_F(CachePermissionTest, CompilesIfTheFolderCannotBeCreated) {
    write_file(scratch / "file", "");
    for (const char* const path : {"/proc/no/such", "/dev/null", "/dev/null/programs"}) {
        FileProgramCache cache({.directory = path});
        EXPECT_THAT(compile_without(cache), HasSubstr(std::string("the folder ") + path));
    }
    FileProgramCache under_a_file({.directory = (scratch / "file").string()});
    EXPECT_THAT(compile_without(under_a_file), HasSubstr("Not a directory"));
}

TEST_F(CachePermissionTest, CompilesWithoutAHomeFolder) {
    ::unsetenv("XDG_CACHE_HOME");
    std::string report;
    for (const char* const home : {"", "relative"}) {
        ::setenv("HOME", home, 1);
        FileProgramCache cache;
        EXPECT_EQ(cache.directory(), "");
        report += compile_without(cache);
    }
    EXPECT_THAT(report, HasSubstr("neither XDG_CACHE_HOME nor HOME"));
}

TEST_F(CachePermissionTest, ReportsAFullDiskOnceForAllProgramsAndCaches) {
    FileProgramCache first(options());
    FileProgramCache second(options());
    first.put(key(1), program(100));
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit limit{8192, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    const std::string report = reports([&] {
        for (unsigned number = 2; number < 6; ++number) first.put(key(number), program(20000));
        second.put(key(6), program(20000));
    });
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_THAT(report, HasSubstr("could not store a program: " + entry(key(2)).string() + ": File too large"));
    EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 1) << report;
    first.put(key(7), program(20000));
    EXPECT_TRUE(first.get(key(7))) << "the cache is used again when there is space";
}

TEST_F(CachePermissionTest, CompilesIfTheDiskIsFull) {
    FileProgramCache cache(options());
    cache.put(key(2), program(100));
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit limit{8192, before.rlim_max};
    for (const auto handler : {SIG_DFL, SIG_IGN}) {
        // By default, the signal of a write beyond the limit ends the process; the cache must block it.
        std::signal(SIGXFSZ, handler);
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
        const std::string report = compile_without(cache);
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
        if (handler == SIG_DFL) {
            EXPECT_THAT(report, HasSubstr("could not store a program: " + entry(key(1)).string() + ": File too large"));
        } else {
            EXPECT_THAT(report, IsEmpty()) << "reported before";
        }
        EXPECT_THAT(names(), ::testing::ElementsAre(key(2).to_string() + ".program"));
    }
    EXPECT_TRUE(cache.get(key(2)));
    sigset_t pending;
    ASSERT_EQ(::sigpending(&pending), 0);
    EXPECT_EQ(::sigismember(&pending, SIGXFSZ), 0);
}

}  // namespace
}  // namespace cubind::testing
