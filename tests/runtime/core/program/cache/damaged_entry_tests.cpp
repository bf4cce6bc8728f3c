// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cache_test.hpp"

namespace cubind::testing {
namespace {

class DamagedEntryTest : public FileCacheTest {
protected:
    void SetUp() override {
        cache.put(key(1), program(200));
        whole = read_file(path);
        ASSERT_EQ(whole.size(), entry_header_size + 200);
    }

    /// Expects that the current file is a miss, is counted as damaged and removed.
    void expect_damaged(const std::string& what) {
        const ProgramCacheStatistics before = cache.statistics();
        EXPECT_EQ(cache.get(key(1)), std::nullopt) << what;
        EXPECT_EQ(cache.statistics().damaged, before.damaged + 1) << what;
        EXPECT_EQ(cache.statistics().misses, before.misses + 1) << what;
        EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(path))) << what;
        EXPECT_EQ(cache.get(key(1)), std::nullopt) << what;
        EXPECT_EQ(cache.statistics().damaged, before.damaged + 1) << what;
    }
    void replace(const std::string& content) {
        std::filesystem::remove(path);
        write_file(path, content);
        std::filesystem::permissions(path, std::filesystem::perms(0600));
    }

    FileProgramCache cache{options()};
    const std::filesystem::path path = entry(key(1));
    std::string whole;
};

TEST_F(DamagedEntryTest, AcceptsACopy) {
    replace(whole);
    EXPECT_EQ(cache.get(key(1)), program(200));
    EXPECT_EQ(cache.statistics().damaged, 0u);
}

TEST_F(DamagedEntryTest, DetectsAnyChangedBit) {
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
        std::string changed = whole;
        changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
        replace(changed);
        expect_damaged("bit " + std::to_string(bit % 8) + " of byte " + std::to_string(bit / 8));
    }
}

TEST_F(DamagedEntryTest, DetectsTruncationAnywhere) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
        replace(whole.substr(0, size));
        expect_damaged("truncated to " + std::to_string(size));
    }
}

TEST_F(DamagedEntryTest, DetectsZerosAtTheEnd) {
    replace(whole.substr(0, whole.size() - 64) + std::string(64, '\0'));
    expect_damaged("the last bytes are zero");
}

TEST_F(DamagedEntryTest, DetectsAppendedBytes) {
    replace(whole + "x");
    expect_damaged("one more byte");
    replace(whole + whole);
    expect_damaged("the content twice");
}

TEST_F(DamagedEntryTest, DetectsForeignFiles) {
    replace(std::string(500, 'x'));
    expect_damaged("text");
    replace("");
    expect_damaged("empty");
    replace("");
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
    expect_damaged("huge");
}

TEST_F(DamagedEntryTest, DetectsTheProgramOfAnotherKey) {
    cache.put(key(2), program(200, 2));
    std::filesystem::rename(entry(key(2)), path);
    expect_damaged("a program of another key");
}

TEST_F(DamagedEntryTest, RemovesASymbolicLinkWithoutItsTarget) {
    const std::filesystem::path elsewhere = scratch / "elsewhere";
    std::filesystem::rename(path, elsewhere);
    std::filesystem::create_symlink(elsewhere, path);
    expect_damaged("a link to an intact file");
    EXPECT_EQ(read_file(elsewhere), whole);
    std::filesystem::create_symlink("/no/such/file", path);
    expect_damaged("a link to nothing");
}

TEST_F(DamagedEntryTest, DoesNotWriteThroughASymbolicLink) {
    const std::filesystem::path elsewhere = scratch / "elsewhere";
    write_file(elsewhere, "precious");
    std::filesystem::remove(path);
    std::filesystem::create_symlink(elsewhere, path);
    cache.put(key(1), program(200));
    EXPECT_EQ(read_file(elsewhere), "precious");
    EXPECT_EQ(cache.get(key(1)), program(200));
}

TEST_F(DamagedEntryTest, DetectsAPipeWithoutBlocking) {
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    expect_damaged("a pipe");
}

TEST_F(DamagedEntryTest, DetectsASocket) {
    std::filesystem::remove(path);
    const int number = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(path.native().size(), sizeof address.sun_path);
    path.native().copy(address.sun_path, sizeof address.sun_path);
    ASSERT_EQ(::bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    expect_damaged("a socket");
    ::close(number);
}

TEST_F(DamagedEntryTest, ReportsAFolderAsAMiss) {
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    EXPECT_THAT(reports([&] { EXPECT_FALSE(cache.get(key(1))); }), HasSubstr(path.string()));
    EXPECT_THAT(reports([&] { cache.put(key(1), program(200)); }), HasSubstr(path.string()));
    EXPECT_EQ(cache.get_or_compile(key(1), [] { return program(200); }), program(200));
}

TEST_F(DamagedEntryTest, CausesOneCompile) {
    replace(whole.substr(0, 100));
    int compiles = 0;
    const auto compile = [&] { return ++compiles, program(200); };
    EXPECT_EQ(cache.get_or_compile(key(1), compile), program(200));
    EXPECT_EQ(cache.get_or_compile(key(1), compile), program(200));
    EXPECT_EQ(compiles, 1);
}

}  // namespace
}  // namespace cubind::testing
