// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Files on a GPU: by the operating system, and by cuFile where it is installed, with GPUDirect Storage or without.
#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/stream/thread_pool.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/file.hpp>
#include <cubind/file/completion.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "observed.hpp"
#include "task.hpp"

namespace CUBIND_NAMESPACE {

// The name of the route in GoogleTest's list.
static void PrintTo(FileRoute route, std::ostream* out) {
    *out << to_string(route);
}

}  // namespace CUBIND_NAMESPACE

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;

using Bytes = std::vector<unsigned char>;

Bytes pattern(std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761U >> 13);
    return bytes;
}

class FileGpuTest : public ::testing::TestWithParam<FileRoute> {
protected:
    void SetUp() override {
        try {
            if (Device::count() == 0) GTEST_SKIP() << "no device";
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        device_.emplace(0);
        stream_ = Stream(*device_);
        std::string name = std::filesystem::temp_directory_path() / "cubind_file.XXXXXX";
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        if (GetParam() == FileRoute::posix) return;
        if (!FileDriver::is_available()) GTEST_SKIP() << FileDriver::unavailability();
        try {
            driver_.emplace();
            (void)open("probe");
        } catch (const FileError& error) {
            std::printf("with the page cache: %s\n", error.what());
            probe_direct();
        }
    }
    // Some releases and file systems have cuFile only without the page cache.
    void probe_direct() {
        needs_direct_ = true;
        try {
            (void)open("probe");
        } catch (const FileError& error) {
            GTEST_SKIP() << error.what();
        }
    }
    void TearDown() override {
        if (!folder_.empty()) std::filesystem::remove_all(folder_);
    }

    [[nodiscard]] File open(const char* name, bool is_direct = false) const {
        return File(folder_ / name, {.write = true,
                                     .create = true,
                                     .direct = is_direct || needs_direct_,
                                     .route = GetParam(),
                                     .chunk_size = std::size_t{1} << 20,
                                     .chunk_count = 3});
    }
    TypedBuffer<unsigned char> on_device(const Bytes& bytes) {
        auto buffer = device_->allocate<unsigned char>(stream_, bytes.size());
        copy(stream_, buffer, bytes);
        stream_.synchronize();
        return buffer;
    }
    Bytes on_host(const TypedBuffer<unsigned char>& buffer) {
        Bytes bytes(buffer.count());
        copy(stream_, bytes, buffer);
        stream_.synchronize();
        return bytes;
    }

    std::filesystem::path folder_;
    std::optional<Device> device_;
    Stream stream_;
    std::optional<FileDriver> driver_;
    bool needs_direct_ = false;
};

constexpr std::size_t sizes[] = {1, 4096, 1000003, (std::size_t{5} << 20) + 17};

TEST_P(FileGpuTest, ReadsWhatItHasWritten) {
    for (const bool is_direct : {false, true}) {
        for (const std::size_t size : sizes) {
            const Bytes bytes = pattern(size);
            const File file = open(is_direct ? "direct" : "cached", is_direct);
            const auto from = on_device(bytes);
            EXPECT_EQ(file.write(from, {.file_offset = 8192}).bytes, size);
            auto to = on_device(Bytes(size, 0xAB));
            const FileResult result = file.read(to, {.file_offset = 8192});
            EXPECT_EQ(result.bytes, size);
            EXPECT_EQ(result.route, file.route());
            EXPECT_EQ(on_host(to), bytes) << size;
            EXPECT_EQ(file.read(to, {.file_offset = file.size() - 1}).bytes, 1u);
            EXPECT_EQ(file.read(to, {.file_offset = file.size()}), (FileResult{0, file.route(), true}));
        }
    }
}

TEST_P(FileGpuTest, TransfersRegisteredMemory) {
    const Bytes bytes = pattern(sizes[2]);
    const File file = open("registered");
    EXPECT_EQ(file.write(bytes).bytes, bytes.size());
    // cuFile registers memory of cuMemAlloc.
    const driver::CUdeviceptr address = [&] {
        const ScopedContext scope(device_->primary_context());
        return check(driver::cuMemAlloc(bytes.size()));
    }();
    {
        const std::span<unsigned char> memory(reinterpret_cast<unsigned char*>(address), bytes.size());
        RegisteredFileBuffer registered(memory);
        EXPECT_TRUE(!registered.is_registered() || FileDriver::is_available());
        EXPECT_EQ(file.read(memory).bytes, bytes.size());
        EXPECT_EQ(file.read(memory.subspan(100, 50), {.file_offset = 200}).bytes, 50u);
        Bytes host(bytes.size());
        copy(stream_, host, memory);
        stream_.synchronize();
        Bytes expected = bytes;
        std::copy_n(bytes.begin() + 200, 50, expected.begin() + 100);
        EXPECT_EQ(host, expected);
        registered.close();
    }
    const ScopedContext scope(device_->primary_context());
    check(driver::cuMemFree(address));
}

TEST_P(FileGpuTest, TransfersInTheOrderOfAStream) {
    for (const std::size_t size : sizes) {
        const Bytes bytes = pattern(size);
        const File file = open(std::to_string(size).c_str());
        auto from = on_device(Bytes(size)), to = on_device(Bytes(size));
        copy(stream_, from, bytes);
        const FileTransfer written = file.write_async(stream_, from);
        from.fill(stream_, 0x55);
        const FileTransfer read = file.read_async(stream_, to);
        EXPECT_EQ(on_host(to), bytes) << size;
        EXPECT_EQ(written.result().bytes, size);
        EXPECT_EQ(read.result().bytes, size);
        EXPECT_FALSE(read.result().reached_end);
    }
}

Task read_and_store(FileTransfer transfer, ThreadPool& threads, FileResult& result) {
    result = co_await completion(transfer, threads);
}

TEST_P(FileGpuTest, CanBeAwaited) {
    const Bytes bytes = pattern(sizes[3]);
    const File file = open("awaited");
    const auto from = on_device(bytes);
    EXPECT_EQ(file.write(from).bytes, bytes.size());
    auto to = on_device(Bytes(bytes.size()));
    ThreadPool threads(1);
    FileResult result;
    const Task task = read_and_store(file.read_async(stream_, to), threads, result);
    EXPECT_TRUE(eventually([&] { return task.is_done(); }));
    task.get();
    EXPECT_EQ(result.bytes, bytes.size());
    EXPECT_EQ(on_host(to), bytes);
}

TEST_P(FileGpuTest, TransfersBatches) {
    constexpr std::size_t count = 16, part = 64 << 10;
    const Bytes bytes = pattern(count * part);
    const File file = open("batch", true);
    const auto from = on_device(bytes);
    auto to = on_device(Bytes(bytes.size()));
    FileBatch writes(count), reads(count);
    for (std::size_t i = 0; i < count; ++i)
        writes.write(file, from, {.file_offset = i * part, .memory_offset = i * part, .size = part});
    writes.submit();
    ASSERT_TRUE(writes.wait(60s));
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(writes.result(i).bytes, part);
    for (std::size_t i = 0; i < count; ++i)
        reads.read(file, to, {.file_offset = i * part, .memory_offset = i * part, .size = part});
    reads.submit();
    ASSERT_TRUE(reads.wait(60s));
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(reads.result(i).bytes, part);
    EXPECT_EQ(on_host(to), bytes);
    std::printf("batches take the route %s\n", to_string(reads.result(0).route));
}

TEST_P(FileGpuTest, EndsWhileTransfersRun) {
    const Bytes bytes = pattern(sizes[3]);
    auto to = on_device(Bytes(bytes.size()));
    {
        const File file = open("ended");
        const auto from = on_device(bytes);
        static_cast<void>(file.write_async(stream_, from));
        static_cast<void>(file.read_async(stream_, to));
    }
    EXPECT_EQ(on_host(to), bytes);
    {
        const File file = open("ended");
        FileBatch batch(1);
        batch.read(file, to);
        batch.submit();
    }
}

TEST_P(FileGpuTest, ReportsFailures) {
    const std::string path = (folder_ / "read_only").string();
    { const File file = open("read_only"); }
    const File file(path, {.route = GetParam()});
    auto buffer = on_device(Bytes(100));
    EXPECT_THROW(file.write(buffer), std::invalid_argument);
    EXPECT_TRUE(file.read(buffer).reached_end);
    const std::span<unsigned char> beyond(buffer.span().data(), std::size_t{1} << 40);
    EXPECT_THROW(file.read(beyond), std::invalid_argument);
}

TEST_P(FileGpuTest, TransfersMemoryOfAnotherKind) {
    const Bytes bytes = pattern(sizes[3]);
    const File file = open("kinds");
    EXPECT_EQ(file.write(bytes).route, FileRoute::posix);
    Buffer managed = ManagedMemoryResource().allocate(stream_, bytes.size());
    stream_.synchronize();
    EXPECT_EQ(file.read(managed).bytes, bytes.size());
    EXPECT_TRUE(std::ranges::equal(managed.span<unsigned char>(), bytes));
    if (Device::count() < 2) return;
    const Stream other(Device(1));
    auto remote = Device(1).allocate<unsigned char>(other, bytes.size());
    other.synchronize();
    EXPECT_EQ(file.read(remote).bytes, bytes.size());
    Bytes host(bytes.size());
    copy(other, host, remote);
    other.synchronize();
    EXPECT_EQ(host, bytes);
}

std::string name_of(const ::testing::TestParamInfo<FileRoute>& route) {
    return to_string(route.param);
}

INSTANTIATE_TEST_SUITE_P(Routes, FileGpuTest, ::testing::Values(FileRoute::posix, FileRoute::cufile, FileRoute::gpu_direct),
                         name_of);

}  // namespace
}  // namespace cubind::testing
