// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::ElementsAre;

class FileProgramCacheTest : public FileCacheTest {
protected:
    static void set_age(const std::filesystem::path& path, std::chrono::seconds age) {
        std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
    }
    /// Returns the name of a temporary file of key 7.
    static std::string temporary(char digit) { return key(7).to_string() + "." + std::string(32, digit) + ".tmp"; }

    /// Locks a file while the object exists.
    struct HeldFile {
        explicit HeldFile(const std::filesystem::path& path) : number(::open(path.c_str(), O_RDWR)) {
            if (::flock(number, LOCK_EX) != 0) throw std::runtime_error("cannot lock " + path.string());
        }
        HeldFile(const HeldFile&) = delete;
        HeldFile& operator=(const HeldFile&) = delete;
        ~HeldFile() { ::close(number); }
        int number;
    };
};

TEST_F(FileProgramCacheTest, ReturnsProgramsOfAnotherCacheOfTheFolder) {
    FileProgramCache(options()).put(key(1), program(1000));
    FileProgramCache cache(options());
    EXPECT_EQ(cache.get(key(1)), program(1000));
    EXPECT_EQ(cache.get(key(2)), std::nullopt);
    EXPECT_EQ(cache.statistics().hits, 1u);
    EXPECT_EQ(cache.statistics().misses, 1u);
}

TEST_F(FileProgramCacheTest, StoresProgramsOfManySizes) {
    FileProgramCache cache(options(std::size_t{1} << 30));
    for (const std::size_t size : {1u, 2u, 55u, 56u, 57u, 4095u, 4096u, 4097u, 131072u, 3000000u}) {
        cache.put(key(size), program(size));
        EXPECT_EQ(cache.get(key(size)), program(size)) << size;
    }
}

TEST_F(FileProgramCacheTest, ReplacesAProgramWithoutLeftovers) {
    FileProgramCache cache(options());
    cache.put(key(1), program(1000, 1));
    cache.put(key(1), program(500, 2));
    EXPECT_EQ(cache.get(key(1)), program(500, 2));
    EXPECT_THAT(names(), ElementsAre(key(1).to_string() + ".program"));
    EXPECT_EQ(cache.size_bytes(), std::filesystem::file_size(entry(key(1))));
}

TEST_F(FileProgramCacheTest, CreatesFilesThatOnlyItsUserCanAccess) {
    const mode_t mask = ::umask(0);
    FileProgramCache({(folder / "deep").string()}).put(key(1), program(10));
    ::umask(0777);
    FileProgramCache({(folder / "deep").string()}).put(key(2), program(10));
    ::umask(mask);
    const auto mode = [](const std::filesystem::path& path) { return std::filesystem::status(path).permissions(); };
    EXPECT_EQ(mode(folder), std::filesystem::perms::owner_all);
    EXPECT_EQ(mode(folder / "deep"), std::filesystem::perms::owner_all);
    for (const unsigned number : {1u, 2u}) {
        EXPECT_EQ(mode(folder / "deep" / entry(key(number)).filename()),
                  std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    }
}

TEST_F(FileProgramCacheTest, CreatesNoFolderForReading) {
    FileProgramCache cache(options());
    EXPECT_THAT(reports([&] {
                    (void)cache.get(key(1));
                    cache.erase(key(1));
                    cache.clear();
                    EXPECT_FALSE(cache.contains(key(1)));
                    EXPECT_EQ(cache.count(), 0u);
                    EXPECT_EQ(cache.size_bytes(), 0u);
                }),
                IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(FileProgramCacheTest, EvictsTheLeastRecentlyUsedWithoutAccessTimes) {
    const std::size_t file = entry_header_size + 1000;
    FileProgramCache cache(options(3 * file));
    for (unsigned number = 1; number <= 3; ++number) cache.put(key(number), program(1000, number));
    EXPECT_TRUE(cache.get(key(1)));
    cache.put(key(4), program(1000, 4));
    EXPECT_FALSE(cache.get(key(2)));
    EXPECT_TRUE(cache.get(key(3)));
    cache.put(key(5), program(1000, 5));
    EXPECT_FALSE(cache.get(key(1)));
    EXPECT_TRUE(cache.get(key(3)));
    EXPECT_EQ(cache.size_bytes(), 3 * file);
    EXPECT_EQ(cache.statistics().evictions, 2u);
}

TEST_F(FileProgramCacheTest, EvictsTheOlderAcrossASecond) {
    FileProgramCache cache(options(2 * (entry_header_size + 1000)));
    cache.put(key(1), program(1000));
    cache.put(key(2), program(1000));
    const auto second = std::chrono::floor<std::chrono::seconds>(std::filesystem::file_time_type::clock::now()) - 10s;
    std::filesystem::last_write_time(entry(key(1)), second);
    std::filesystem::last_write_time(entry(key(2)), second - 1ns);
    cache.put(key(3), program(1000));
    EXPECT_TRUE(cache.get(key(1)));
    EXPECT_FALSE(cache.get(key(2)));
}

TEST_F(FileProgramCacheTest, DoesNotStoreProgramsLargerThanTheCache) {
    FileProgramCache cache(options(entry_header_size + 1000));
    cache.put(key(1), program(1000));
    EXPECT_TRUE(cache.get(key(1)));
    cache.put(key(2), program(1001));
    EXPECT_FALSE(cache.get(key(2)));
    EXPECT_TRUE(cache.get(key(1))) << "a program that is not stored evicts nothing";
    cache.put(key(1), program(1001));
    EXPECT_FALSE(cache.get(key(1))) << "the older program of the key is outdated";
}

TEST_F(FileProgramCacheTest, ErasesOnlyItsOwnFiles) {
    FileProgramCache cache(options());
    for (unsigned number = 1; number <= 3; ++number) cache.put(key(number), program(100, number));
    const std::vector<std::string> foreign = {"0123.program", "README", std::string(64, 'A') + ".program",
                                              std::string(64, 'a') + ".txt"};
    for (const std::string& name : foreign) write_file(folder / name, "foreign");
    cache.erase(key(2));
    cache.erase(key(9));
    EXPECT_FALSE(cache.get(key(2)));
    EXPECT_TRUE(cache.get(key(1)));
    cache.clear();
    EXPECT_FALSE(cache.get(key(1)));
    EXPECT_EQ(cache.size_bytes(), 0u);
    EXPECT_THAT(names(), ::testing::UnorderedElementsAreArray(foreign));
    cache.put(key(1), program(10));
    EXPECT_TRUE(cache.get(key(1)));
}

TEST_F(FileProgramCacheTest, CountsProgramsWithoutUsingThem) {
    FileProgramCache cache(options(3 * (entry_header_size + 100)));
    for (unsigned number = 1; number <= 3; ++number) {
        cache.put(key(number), program(100, number));
        set_age(entry(key(number)), 1h * (4 - number));
    }
    const auto last_use = std::filesystem::last_write_time(entry(key(1)));
    EXPECT_EQ(cache.count(), 3u);
    EXPECT_TRUE(cache.contains(key(1)));
    EXPECT_FALSE(cache.contains(key(4)));
    EXPECT_EQ(std::filesystem::last_write_time(entry(key(1))), last_use);
    EXPECT_EQ(cache.statistics().hits + cache.statistics().misses, 0u);
    cache.put(key(4), program(100, 4));
    EXPECT_FALSE(cache.contains(key(1)));
    EXPECT_EQ(cache.count(), 3u);
    cache.clear();
    EXPECT_EQ(cache.count(), 0u);
}

TEST_F(FileProgramCacheTest, CountsOnlyFilesOfPrograms) {
    FileProgramCache cache(options());
    cache.put(key(1), program(100));
    const std::vector<std::string> others = {"README", "0123.program", key(5).to_string() + ".lock", temporary('1')};
    for (const std::string& name : others) write_file(folder / name, std::string(200, 'x'));
    std::filesystem::create_symlink(entry(key(1)), entry(key(2)));
    std::filesystem::create_directory(entry(key(3)));
    ASSERT_EQ(::mkfifo(entry(key(4)).c_str(), 0600), 0);
    std::filesystem::copy_file(entry(key(1)), entry(key(6)));
    ASSERT_EQ(::chmod(entry(key(6)).c_str(), 0666), 0);
    EXPECT_EQ(cache.count(), 1u);
    for (unsigned number = 1; number <= 7; ++number) EXPECT_EQ(cache.contains(key(number)), number == 1) << number;
}

TEST_F(FileProgramCacheTest, CountsDamagedProgramsUntilTheyAreRead) {
    FileProgramCache cache(options());
    for (const unsigned number : {1u, 2u}) cache.put(key(number), program(100));
    std::filesystem::resize_file(entry(key(1)), entry_header_size + 99);
    std::filesystem::resize_file(entry(key(2)), entry_header_size - 1);
    EXPECT_TRUE(cache.contains(key(1)));
    EXPECT_FALSE(cache.contains(key(2))) << "shorter than a header";
    EXPECT_EQ(cache.count(), 1u);
    EXPECT_EQ(cache.statistics().damaged, 0u);
    EXPECT_FALSE(cache.get(key(1)));
    EXPECT_FALSE(cache.contains(key(1)));
    EXPECT_EQ(cache.count(), 0u);
}

TEST_F(FileProgramCacheTest, CreatesARemovedFolderAgain) {
    FileProgramCache cache(options());
    cache.put(key(1), program(100));
    std::filesystem::remove_all(folder);
    EXPECT_FALSE(cache.get(key(1)));
    cache.put(key(1), program(100));
    EXPECT_TRUE(cache.get(key(1)));
}

TEST_F(FileProgramCacheTest, RemovesFilesOfKilledProcesses) {
    FileProgramCache cache(options());
    cache.put(key(1), program(100));
    const std::string free_temporary = temporary('1'), held_temporary = temporary('2');
    const std::string free_lock = key(5).to_string() + ".lock", held_lock = key(6).to_string() + ".lock";
    for (const std::string& name : {free_temporary, held_temporary, free_lock, held_lock}) write_file(folder / name, "text");
    set_age(folder / held_temporary, 2h);
    const HeldFile held_first(folder / held_temporary), held_second(folder / held_lock);
    cache.put(key(2), program(100));
    EXPECT_THAT(names(),
                ::testing::UnorderedElementsAre(entry(key(1)).filename(), entry(key(2)).filename(), held_temporary, held_lock));
}

TEST_F(FileProgramCacheTest, CountsFilesThatAreBeingWritten) {
    const std::size_t file = entry_header_size + 1000;
    FileProgramCache cache(options(3 * file));
    cache.put(key(1), program(1000));
    cache.put(key(2), program(1000));
    write_file(folder / temporary('1'), std::string(file, 'x'));
    const HeldFile held(folder / temporary('1'));
    EXPECT_EQ(cache.size_bytes(), 3 * file);
    cache.put(key(3), program(1000));
    EXPECT_EQ(cache.size_bytes(), 3 * file);
    EXPECT_FALSE(cache.get(key(1)));
    cache.put(key(2), program(1000, 2));
    EXPECT_TRUE(cache.get(key(3))) << "a program that is replaced needs no room beside the new one";
}

TEST_F(FileProgramCacheTest, StoresNewProgramsAfterTheClockWasSetBack) {
    FileProgramCache cache(options(3 * (entry_header_size + 1000)));
    for (unsigned number = 1; number <= 3; ++number) {
        cache.put(key(number), program(1000, number));
        set_age(entry(key(number)), -24h - std::chrono::seconds(number));
    }
    cache.put(key(4), program(1000));
    EXPECT_TRUE(cache.get(key(4)));
    EXPECT_FALSE(cache.get(key(1)));
    EXPECT_TRUE(cache.get(key(2)));
    cache.put(key(5), program(1000));
    EXPECT_TRUE(cache.get(key(2)) && cache.get(key(4)) && cache.get(key(5)));
}

TEST_F(FileProgramCacheTest, ResolvesARelativeFolderOnce) {
    std::filesystem::current_path(scratch);
    FileProgramCache cache({.directory = "programs"});
    EXPECT_EQ(cache.directory(), folder.string());
    std::filesystem::current_path("/");
    cache.put(key(1), program(100));
    EXPECT_TRUE(std::filesystem::exists(entry(key(1))));
}

TEST_F(FileProgramCacheTest, RejectsAFolderWithANul) {
    EXPECT_THROW(FileProgramCache({.directory = scratch.string() + std::string("\0x", 2)}), std::invalid_argument);
}

TEST_F(FileProgramCacheTest, UsesTheUsersCacheFolderByDefault) {
    ::setenv("XDG_CACHE_HOME", scratch.c_str(), 1);
    ::setenv("HOME", "/no/such/home", 1);
    EXPECT_EQ(FileProgramCache().directory(), (scratch / "cubind/programs").string());
    FileProgramCache().put(key(1), program(100));
    EXPECT_TRUE(FileProgramCache().get(key(1)));

    ::setenv("HOME", scratch.c_str(), 1);
    for (const char* none : {"", "relative/path"}) {
        ::setenv("XDG_CACHE_HOME", none, 1);
        EXPECT_EQ(FileProgramCache().directory(), (scratch / ".cache/cubind/programs").string());
    }
    ::unsetenv("XDG_CACHE_HOME");
    EXPECT_EQ(FileProgramCache().directory(), (scratch / ".cache/cubind/programs").string());
}

}  // namespace
}  // namespace cubind::testing
