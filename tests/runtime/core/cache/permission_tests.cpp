// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache_test.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace cubind::testing {
namespace {

class Permission : public FileCacheTest {
protected:
    /// Expects that a program is compiled and given, though the cache cannot keep it; gives what it said.
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

TEST_F(Permission, AFolderThatOthersCanWriteIsNotUsed) {
    FileProgramCache cache(options());
    cache.put(key(1), program(20000));
    for (const mode_t mode : {0720u, 0702u, 0777u, 01777u}) {
        ASSERT_EQ(::chmod(folder.c_str(), mode), 0);
        const std::string said = compile_without(cache);
        EXPECT_THAT(said, HasSubstr(folder.string()));
        EXPECT_THAT(said, HasSubstr("can be written by others"));
        EXPECT_THAT(said, HasSubstr("chmod go-w"));
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    }
    ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
    EXPECT_THAT(reports([&] { EXPECT_TRUE(cache.get(key(1))) << "others may read"; }), IsEmpty());
}

TEST_F(Permission, AFolderOfSomebodyElseIsNotUsed) {
    const NotRoot not_root;
    FileProgramCache cache({.directory = "/usr"});
    const std::string said = compile_without(cache);
    EXPECT_THAT(said, HasSubstr("the folder /usr belongs to user 0, not to user " + std::to_string(::geteuid())));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST_F(Permission, AFileThatOthersCanWriteIsDamaged) {
    FileProgramCache cache(options());
    for (const mode_t mode : {0620u, 0602u, 0666u}) {
        cache.put(key(1), program(100));
        ASSERT_EQ(::chmod(entry(key(1)).c_str(), mode), 0);
        EXPECT_FALSE(cache.get(key(1))) << mode;
        EXPECT_FALSE(std::filesystem::exists(entry(key(1)))) << mode;
    }
    EXPECT_EQ(cache.statistics().damaged, 3u);
}

TEST_F(Permission, AFileOfSomebodyElseIsDamaged) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
    FileProgramCache cache(options());
    cache.put(key(1), program(100));
    ASSERT_EQ(::chown(entry(key(1)).c_str(), 65534, 65534), 0);
    EXPECT_FALSE(cache.get(key(1)));
    EXPECT_EQ(cache.statistics().damaged, 1u);
}

TEST_F(Permission, AFileThatCannotBeReadIsAMissAndSaysSo) {
    const NotRoot not_root;
    FileProgramCache cache(options());
    cache.put(key(1), program(100));
    ASSERT_EQ(::chmod(entry(key(1)).c_str(), 0), 0);
    EXPECT_THAT(reports([&] { EXPECT_FALSE(cache.get(key(1))); }), HasSubstr(entry(key(1)).string() + ": Permission denied"));
    EXPECT_EQ(cache.statistics().damaged, 0u);
    cache.put(key(1), program(100));
    EXPECT_TRUE(cache.get(key(1)));
}

TEST_F(Permission, AReadOnlyFolderGivesWhatItHasAndBreaksNothing) {
    const NotRoot not_root;
    FileProgramCache cache(options());
    cache.put(key(2), program(100));
    ASSERT_EQ(::chmod(folder.c_str(), 0500), 0);
    EXPECT_TRUE(cache.get(key(2)));
    EXPECT_THAT(compile_without(cache), HasSubstr("could not keep a program: " + entry(key(1)).string() + ": Permission denied"));
    EXPECT_THAT(reports([&] { cache.erase(key(2)); }), HasSubstr("could not remove a kept program: " + entry(key(2)).string()));
    EXPECT_THAT(reports([&] { cache.clear(); }), HasSubstr("could not remove a kept program: " + entry(key(2)).string()));
    ASSERT_EQ(::chmod(folder.c_str(), 0700), 0);
}

TEST_F(Permission, AFolderThatCannotBeMadeBreaksNothing) {
    write_file(scratch / "file", "");
    for (const char* const path : {"/proc/no/such", "/dev/null", "/dev/null/programs"}) {
        FileProgramCache cache({.directory = path});
        EXPECT_THAT(compile_without(cache), HasSubstr(std::string("the folder ") + path));
    }
    FileProgramCache under_a_file({.directory = (scratch / "file").string()});
    EXPECT_THAT(compile_without(under_a_file), HasSubstr("Not a directory"));
}

TEST_F(Permission, AMissingHomeBreaksNothing) {
    ::unsetenv("XDG_CACHE_HOME");
    for (const char* const home : {"", "relative"}) {
        ::setenv("HOME", home, 1);
        FileProgramCache cache;
        EXPECT_EQ(cache.directory(), "");
        EXPECT_THAT(compile_without(cache), HasSubstr("neither XDG_CACHE_HOME nor HOME"));
    }
}

TEST_F(Permission, AFullDiskBreaksNothingAndLeavesNothing) {
    FileProgramCache cache(options());
    cache.put(key(2), program(100));
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit limit{8192, before.rlim_max};
    for (const auto handler : {SIG_DFL, SIG_IGN}) {
        // A write beyond the limit ends a process that leaves the signal as it is, unless the cache takes care.
        std::signal(SIGXFSZ, handler);
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
        const std::string said = compile_without(cache);
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
        EXPECT_THAT(said, HasSubstr("could not keep a program: " + entry(key(1)).string() + ": File too large"));
        EXPECT_THAT(names(), ::testing::ElementsAre(key(2).to_string() + ".program"));
    }
    EXPECT_TRUE(cache.get(key(2)));
    sigset_t pending;
    ASSERT_EQ(::sigpending(&pending), 0);
    EXPECT_EQ(::sigismember(&pending, SIGXFSZ), 0);
}

}  // namespace
}  // namespace cubind::testing
