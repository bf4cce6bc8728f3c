// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Transfers in the order of a stream, and coroutines that wait for them.
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/stream/run_loop.hpp>
#include <cubind/core/stream/thread_pool.hpp>
#include <cubind/file/completion.hpp>

#include <chrono>
#include <stop_token>
#include <system_error>
#include <unistd.h>

#include "file_test.hpp"
#include "gate.hpp"
#include "task.hpp"

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t piece = 8192;
constexpr FileOptions in_pieces{.write = true, .create = true, .chunk_size = piece, .chunk_count = 2};

class FileTransferTest : public PosixFileTest {
protected:
    /// Returns pinned memory with these bytes, whose copies do not wait.
    Buffer pinned(const Bytes& bytes) {
        Buffer memory = LegacyPinnedMemoryResource().allocate(stream_, bytes.size());
        std::ranges::copy(bytes, memory.span<unsigned char>().begin());
        return memory;
    }
};

TEST_F(FileTransferTest, TransfersInTheOrderOfTheStream) {
    for (const std::size_t size : {std::size_t{1}, piece, piece + 1, 9 * piece + 5}) {
        const Bytes bytes = pattern(size);
        const File file(folder_ / "ordered", in_pieces);
        auto from = on_device(Bytes(size)), to = on_device(Bytes(size));
        const Buffer source = pinned(bytes);
        Buffer host = pinned(Bytes(size));
        Gate gate(stream_);
        copy(stream_, from, source);
        const FileTransfer written = file.write_async(stream_, from);
        from.fill(stream_, 0x55);
        const FileTransfer read = file.read_async(stream_, to);
        copy(stream_, host, to);
        EXPECT_FALSE(read.is_done());
        EXPECT_FALSE(written.wait_for(0ms));
        gate.open();
        stream_.synchronize();
        EXPECT_EQ(written.result(), (FileResult{size, FileRoute::posix, false}));
        EXPECT_EQ(read.result(), (FileResult{size, FileRoute::posix, false}));
        EXPECT_TRUE(std::ranges::equal(host.span<unsigned char>(), bytes)) << size;
        std::filesystem::remove(file.path());
    }
}

TEST_F(FileTransferTest, SelectsBytesAndReportsTheEnd) {
    const Bytes bytes = pattern(3 * piece);
    const File file(file_with(bytes), in_pieces);
    auto buffer = on_device(Bytes(4 * piece, 0xAB));
    const FileTransfer read = file.read_async(stream_, buffer, {.file_offset = 100, .memory_offset = 5, .size = 4 * piece - 10});
    read.wait();
    EXPECT_EQ(read.result(), (FileResult{3 * piece - 100, FileRoute::posix, true}));
    const Bytes host = on_host(buffer);
    EXPECT_EQ(host[4], 0xAB);
    EXPECT_TRUE(std::ranges::equal(std::span(host).subspan(5, 3 * piece - 100), std::span(bytes).subspan(100)));
    EXPECT_EQ(host.back(), 0xAB);
}

TEST_F(FileTransferTest, ReportsAFileThatShrinks) {
    const File file(file_with(pattern(9 * piece)), in_pieces);
    auto buffer = on_device(Bytes(9 * piece));
    Gate gate(stream_);
    const FileTransfer read = file.read_async(stream_, buffer);
    ASSERT_EQ(::truncate(file.path().c_str(), 100), 0);
    gate.open();
    stream_.synchronize();
    EXPECT_EQ(read.result(), (FileResult{100, FileRoute::posix, true}));
}

TEST_F(FileTransferTest, TransfersHostMemoryAndNothing) {
    const Bytes bytes = pattern(piece);
    const File file(file_with(bytes), in_pieces);
    Bytes host(piece);
    const FileTransfer read = file.read_async(stream_, host);
    const FileTransfer nothing = file.write_async(stream_, host, {.size = 0});
    stream_.synchronize();
    EXPECT_EQ(read.result().bytes, piece);
    EXPECT_EQ(host, bytes);
    EXPECT_EQ(nothing.result(), FileResult{});
}

TEST_F(FileTransferTest, RetainsWhatItUses) {
    const Bytes bytes = pattern(5 * piece);
    auto to = on_device(Bytes(bytes.size()));
    FileTransfer kept;
    std::optional<TypedBuffer<unsigned char>> from = on_device(bytes);
    Gate gate(stream_);
    {
        const File file(folder_ / "retained", in_pieces);
        kept = file.write_async(stream_, *from);
        from->close(Stream(device_));                     // not in the order of the transfer
        static_cast<void>(file.read_async(stream_, to));  // nothing refers to it
    }
    gate.open();
    kept.wait();
    stream_.synchronize();
    EXPECT_EQ(kept.result().bytes, bytes.size());
    EXPECT_EQ(on_host(to), bytes);
}

TEST_F(FileTransferTest, MayOutliveItsStream) {
    const Bytes bytes = pattern(5 * piece);
    const File file(file_with(bytes), in_pieces);
    auto to = on_device(Bytes(bytes.size()));
    FileTransfer read;
    {
        const Stream stream(device_);
        read = file.read_async(stream, to);
    }
    EXPECT_TRUE(read.wait_for(60s));
    EXPECT_EQ(read.result().bytes, bytes.size());
    EXPECT_EQ(on_host(to), bytes);
}

TEST_F(FileTransferTest, RejectsMisuse) {
    const File file(file_with(pattern(10)), in_pieces);
    auto buffer = on_device(Bytes(10));
    const Stream other(Device(1));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)file.read_async(other, buffer); }),
                ::testing::HasSubstr("device 1"));
    GraphBuilder builder(device_);
    builder.begin_building();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)file.read_async(builder, buffer); }),
                ::testing::HasSubstr("captured"));
    static_cast<void>(builder.end_building());
    EXPECT_THROW((void)FileTransfer().is_done(), std::invalid_argument);
    Gate gate(stream_);
    const FileTransfer read = file.read_async(stream_, buffer);
    EXPECT_THROW((void)read.result(), std::invalid_argument);
    EXPECT_THROW((void)read.wait_for(-1ms), std::invalid_argument);
    gate.open();
    EXPECT_TRUE(read.wait_for(1h));
    EXPECT_EQ(read, FileTransfer(read));
}

TEST_F(FileTransferTest, ReportsAFailureInItsResult) {
    const File full("/dev/full", {.write = true, .chunk_size = piece, .chunk_count = 2});
    const auto buffer = on_device(Bytes(5 * piece));
    const FileTransfer written = full.write_async(stream_, buffer);
    written.wait();
    EXPECT_THAT(message_of<FileError>([&] { (void)written.result(); }), ::testing::HasSubstr("/dev/full"));
    stream_.synchronize();  // the stream itself has not failed
}

// ---- coroutines ----------------------------------------------------------------------------------------------------------

Task read_twice(FileTransfer transfer, RunLoop& loop, std::vector<FileResult>& results) {
    results.push_back(co_await completion(transfer, loop));
    results.push_back(co_await completion(transfer, loop));  // it has ended
}

Task await_transfer(FileTransfer transfer, ThreadPool& threads, std::stop_token stop = {}) {
    (void)co_await completion(transfer, threads, stop);
}

void finish(const Task& task) {
    EXPECT_TRUE(eventually([&] { return task.is_done(); }));
    task.get();
}

TEST_F(FileTransferTest, CanBeAwaited) {
    const Bytes bytes = pattern(5 * piece);
    const File file(file_with(bytes), in_pieces);
    auto buffer = on_device(Bytes(bytes.size()));
    RunLoop loop;
    std::vector<FileResult> results;
    Gate gate(stream_);
    const Task task = read_twice(file.read_async(stream_, buffer), loop, results);
    EXPECT_EQ(loop.run_ready(), 0u);
    gate.open();
    EXPECT_TRUE(eventually([&] { return loop.run_ready(), task.is_done(); }));
    task.get();
    EXPECT_EQ(results, std::vector(2, FileResult{bytes.size(), FileRoute::posix, false}));
    EXPECT_EQ(on_host(buffer), bytes);
}

TEST_F(FileTransferTest, ThrowsWhatHasFailedInTheCoroutine) {
    const File full("/dev/full", {.write = true});
    const auto buffer = on_device(Bytes(100));
    ThreadPool threads(1);
    const Task task = await_transfer(full.write_async(stream_, buffer), threads);
    EXPECT_THAT(message_of<FileError>([&] { finish(task); }), ::testing::HasSubstr("/dev/full"));
}

TEST_F(FileTransferTest, CanBeLeftByACancelledCoroutine) {
    const File file(file_with(pattern(100)));
    auto buffer = on_device(Bytes(100));
    ThreadPool threads(1);
    std::stop_source stop;
    Gate gate(stream_);
    const Task task = await_transfer(file.read_async(stream_, buffer), threads, stop.get_token());
    stop.request_stop();
    EXPECT_THROW(finish(task), std::system_error);
    gate.open();
    EXPECT_EQ(on_host(buffer), pattern(100));
}

}  // namespace
}  // namespace cubind::testing
