// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Transfers that wait, by the operating system.
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>

#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "file_test.hpp"

namespace cubind::testing {
namespace {

constexpr std::size_t chunk = 8192;
constexpr FileOptions small_chunks{.chunk_size = chunk, .chunk_count = 2};
constexpr FileOptions writable{.write = true, .create = true, .chunk_size = chunk, .chunk_count = 2};

TEST_F(PosixFileTest, ReadsAndWritesMemoryOfADevice) {
    for (const std::size_t size : {std::size_t{1}, chunk - 1, chunk, chunk + 1, 2 * chunk, 7 * chunk + 5}) {
        const Bytes bytes = pattern(size);
        const auto buffer = on_device(bytes);
        const File file(folder_ / "written", writable);
        EXPECT_EQ(file.write(buffer), (FileResult{size, FileRoute::posix, false})) << size;
        file.flush();
        EXPECT_EQ(file.size(), size);
        EXPECT_EQ(content_of(folder_ / "written"), bytes);

        auto other = on_device(Bytes(size, 0xAB));
        EXPECT_EQ(file.read(other), (FileResult{size, FileRoute::posix, false})) << size;
        EXPECT_EQ(on_host(other), bytes);
    }
}

TEST_F(PosixFileTest, SelectsBytesOfFileAndMemory) {
    const Bytes bytes = pattern(5 * chunk);
    const File file(file_with(bytes), small_chunks);
    auto buffer = on_device(Bytes(4 * chunk, 0xAB));
    EXPECT_EQ(file.read(buffer, {.file_offset = 100, .memory_offset = 7, .size = 3 * chunk + 3}).bytes, 3 * chunk + 3);
    Bytes expected(4 * chunk, 0xAB);
    std::copy_n(bytes.begin() + 100, 3 * chunk + 3, expected.begin() + 7);
    EXPECT_EQ(on_host(buffer), expected);
    EXPECT_EQ(file.read(buffer.subspan(1, 2), {.file_offset = 5}).bytes, 2u);
    EXPECT_EQ(buffer.get(stream_, 2), bytes[6]);
    EXPECT_EQ(buffer.get(stream_, 3), 0xAB);
}

TEST_F(PosixFileTest, SaysWhereAFileEnds) {
    const Bytes bytes = pattern(2 * chunk + 10);
    const File file(file_with(bytes), small_chunks);
    auto buffer = on_device(Bytes(4 * chunk, 0xAB));
    EXPECT_EQ(file.read(buffer), (FileResult{bytes.size(), FileRoute::posix, true}));
    Bytes expected(4 * chunk, 0xAB);  // memory behind the result is unchanged
    std::ranges::copy(bytes, expected.begin());
    EXPECT_EQ(on_host(buffer), expected);
    EXPECT_EQ(file.read(buffer, {.file_offset = bytes.size()}), (FileResult{0, FileRoute::posix, true}));
    EXPECT_EQ(file.read(buffer, {.file_offset = (std::uint64_t{1} << 62)}), (FileResult{0, FileRoute::posix, true}));
    EXPECT_FALSE(file.read(buffer, {.size = 0}).reached_end);
    std::vector<char> host(4 * chunk, 'x');
    EXPECT_EQ(file.read(host, {.file_offset = 2 * chunk}), (FileResult{10, FileRoute::posix, true}));
    EXPECT_EQ(host[10], 'x');
}

TEST_F(PosixFileTest, ReadsBeyondTwoAndFourGiga) {
    const Bytes bytes = pattern(3 * chunk);
    const auto source = on_device(bytes);
    const File file(folder_ / "sparse", writable);
    for (const std::uint64_t offset : {(std::uint64_t{1} << 31) - chunk, (std::uint64_t{1} << 32) - 5, std::uint64_t{1} << 33}) {
        EXPECT_EQ(file.write(source, {.file_offset = offset}).bytes, bytes.size());
        auto buffer = on_device(Bytes(bytes.size()));
        EXPECT_EQ(file.read(buffer, {.file_offset = offset}).bytes, bytes.size());
        EXPECT_EQ(on_host(buffer), bytes);
    }
    EXPECT_EQ(file.size(), (std::uint64_t{1} << 33) + bytes.size());
}

TEST_F(PosixFileTest, TransfersHostMemoryWithoutCopies) {
    const Bytes bytes = pattern(3 * chunk);
    const File file(file_with(bytes), {.write = true, .chunk_size = chunk});
    Buffer pinned = LegacyPinnedMemoryResource().allocate(stream_, bytes.size());
    EXPECT_EQ(file.read(pinned).bytes, bytes.size());
    EXPECT_TRUE(std::ranges::equal(pinned.span<unsigned char>(), bytes));
    Bytes pageable(bytes.size());
    EXPECT_EQ(file.read(pageable).bytes, bytes.size());
    EXPECT_EQ(pageable, bytes);
    const std::vector<unsigned char> two(2, 0x11);
    EXPECT_EQ(file.write(two, {.file_offset = 1}).bytes, 2u);
    EXPECT_EQ(content_of(file.path())[2], 0x11);
}

TEST_F(PosixFileTest, TransfersManagedMemory) {
    const Bytes bytes = pattern(3 * chunk);
    const File file(file_with(bytes), small_chunks);
    Buffer managed = ManagedMemoryResource().allocate(stream_, bytes.size());
    stream_.synchronize();
    EXPECT_EQ(file.read(managed).bytes, bytes.size());
    EXPECT_TRUE(std::ranges::equal(managed.span<unsigned char>(), bytes));
}

TEST_F(PosixFileTest, TransfersMemoryOfEachDevice) {
    const Bytes bytes = pattern(3 * chunk);
    const File file(file_with(bytes), small_chunks);
    const ContextRef before = ContextRef::current();
    const Stream stream(Device(1));
    auto buffer = Device(1).allocate<unsigned char>(stream, bytes.size());
    stream.synchronize();
    EXPECT_EQ(file.read(buffer).bytes, bytes.size());
    EXPECT_EQ(ContextRef::current(), before);
    Bytes read(bytes.size());
    copy(stream, read, buffer);
    stream.synchronize();
    EXPECT_EQ(read, bytes);
}

TEST_F(PosixFileTest, BypassesThePageCacheWhereItCan) {
    const Bytes bytes = pattern(5 * chunk + 100);
    const auto buffer = on_device(bytes);
    FileOptions options = writable;
    options.direct = true;
    const File file(folder_ / "direct", options);
    EXPECT_EQ(file.write(buffer).bytes, bytes.size());
    EXPECT_EQ(content_of(file.path()), bytes);
    EXPECT_EQ(file.write(buffer, {.file_offset = 3, .size = chunk}).bytes, chunk);
    auto read = on_device(Bytes(bytes.size() + 1, 0xAB));
    const Bytes expected = content_of(file.path());
    for (const std::size_t offset : {std::size_t{0}, std::size_t{4096}, std::size_t{77}, 5 * chunk, 5 * chunk + 99}) {
        const FileResult result = file.read(read, {.file_offset = offset});
        EXPECT_EQ(result, (FileResult{bytes.size() - offset, FileRoute::posix, true})) << offset;
        const Bytes host = on_host(read);
        EXPECT_TRUE(std::ranges::equal(std::span(host).first(result.bytes), std::span(expected).subspan(offset)));
    }
    const File other(folder_ / "direct", small_chunks);
    EXPECT_FALSE(other.is_direct());
}

TEST_F(PosixFileTest, SaysWhichWayItTakes) {
    const File file(file_with(pattern(10)));
    EXPECT_EQ(file.route(), FileRoute::posix);
    EXPECT_FALSE(file.route_reason().empty());
    EXPECT_EQ(file.native_handle(), nullptr);
    const File posix(file.path(), {.route = FileRoute::posix});
    EXPECT_NE(posix.route_reason().find("route"), std::string::npos);
    EXPECT_STREQ(to_string(FileRoute::gpu_direct), "gpu_direct");
}

TEST_F(PosixFileTest, CanBeUsedByThreads) {
    const Bytes bytes = pattern(4 * chunk);
    const File file(file_with(bytes), small_chunks);
    std::vector<std::thread> threads;
    std::vector<TypedBuffer<unsigned char>> buffers;
    for (int i = 0; i < 4; ++i) buffers.push_back(on_device(Bytes(bytes.size())));
    for (auto& each : buffers) {
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) EXPECT_EQ(file.read(each).bytes, bytes.size());
        });
    }
    for (std::thread& each : threads) each.join();
    for (const auto& each : buffers) EXPECT_EQ(on_host(each), bytes);
}

TEST_F(PosixFileTest, IsNotInterruptedBySignals) {
    struct sigaction action {};
    action.sa_handler = [](int) {};  // without SA_RESTART, so that calls of the system return EINTR
    struct sigaction before {};
    ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
    const Bytes bytes = pattern(64 * chunk);
    const File file(folder_ / "interrupted", writable);
    const auto buffer = on_device(bytes);
    auto read = on_device(Bytes(bytes.size()));
    std::atomic<bool> has_ended = false;
    const pthread_t self = ::pthread_self();
    std::thread other([&] {
        while (!has_ended) {
            ::pthread_kill(self, SIGUSR1);
            std::this_thread::yield();
        }
    });
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(file.write(buffer).bytes, bytes.size());
        EXPECT_EQ(file.read(read).bytes, bytes.size());
    }
    has_ended = true;
    other.join();
    ::sigaction(SIGUSR1, &before, nullptr);
    EXPECT_EQ(on_host(read), bytes);
}

TEST_F(PosixFileTest, SurvivesAFileThatShrinks) {
    const Bytes bytes = pattern(64 * chunk);
    const File file(file_with(bytes), small_chunks);
    auto buffer = on_device(Bytes(bytes.size()));
    std::atomic<bool> has_ended = false;
    std::thread other([&] {
        while (!has_ended) {
            EXPECT_EQ(::truncate(file.path().c_str(), static_cast<off_t>(10 * chunk)), 0);
            EXPECT_EQ(::truncate(file.path().c_str(), static_cast<off_t>(bytes.size())), 0);
        }
    });
    for (int i = 0; i < 20; ++i) {
        const FileResult result = file.read(buffer);
        EXPECT_EQ(result.reached_end, result.bytes < bytes.size());
        EXPECT_GE(result.bytes, 10 * chunk);
    }
    has_ended = true;
    other.join();
}

TEST_F(PosixFileTest, TruncatesAndCreates) {
    const std::string path = file_with(pattern(100));
    EXPECT_EQ(File(path, {.write = true, .truncate = true}).size(), 0u);
    const mode_t mask = ::umask(0);
    { const File file(folder_ / "private", {.write = true, .create = true, .exclusive = true, .permissions = 0640}); }
    ::umask(mask);
    EXPECT_EQ(std::filesystem::status(folder_ / "private").permissions(), static_cast<std::filesystem::perms>(0640));
}

TEST_F(PosixFileTest, CanBeMovedAndClosed) {
    File file(file_with(pattern(100)));
    File moved = std::move(file);
    EXPECT_TRUE(file.is_closed());  // NOLINT(bugprone-use-after-move)
    EXPECT_THROW((void)file.size(), std::invalid_argument);
    auto buffer = on_device(Bytes(100));
    EXPECT_EQ(moved.read(buffer).bytes, 100u);
    moved.close();
    moved.close();
    EXPECT_THROW((void)moved.read(buffer), std::invalid_argument);
    EXPECT_NE(message_of<std::invalid_argument>([] { (void)File().path(); }).find("File"), std::string::npos);
}

}  // namespace
}  // namespace cubind::testing
