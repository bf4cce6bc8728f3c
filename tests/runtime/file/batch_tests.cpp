// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "file_test.hpp"
#include "gate.hpp"

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr std::size_t part = 5000;

class FileBatchTest : public CufileTest {
protected:
    /// Reads ten parts of a file in another order, and checks bytes and results.
    void check_parts(const FileOptions& options) {
        const Bytes bytes = pattern(10 * part);
        const File file(file_with(bytes), options);
        auto buffer = on_device(Bytes(10 * part));
        FileBatch batch(10);
        for (std::size_t i = 0; i < 10; ++i) {
            EXPECT_EQ(batch.read(file, buffer, {.file_offset = (9 - i) * part, .memory_offset = (9 - i) * part, .size = part}),
                      i);
            EXPECT_EQ(batch.state(i), FileRequestState::prepared);
        }
        batch.submit();
        EXPECT_TRUE(batch.wait(60s));
        EXPECT_EQ(batch.ended(), 10u);
        for (std::size_t i = 0; i < 10; ++i) {
            EXPECT_EQ(batch.state(i), FileRequestState::complete);
            EXPECT_EQ(batch.result(i), (FileResult{part, file.route(), false}));
        }
        EXPECT_EQ(on_host(buffer), bytes);
        batch.clear();
        EXPECT_EQ(batch.size(), 0u);
        EXPECT_EQ(batch.read(file, buffer, {.file_offset = 9 * part + 1}), 0u);
        batch.submit();
        EXPECT_TRUE(batch.wait_for(1, 60s));
        EXPECT_EQ(batch.result(0), (FileResult{part - 1, file.route(), true}));
    }
};

TEST_F(FileBatchTest, TransfersByTheOperatingSystem) {
    check_parts({.route = FileRoute::posix});
    EXPECT_TRUE(stand_in().calls.empty());
}

TEST_F(FileBatchTest, TransfersByCufile) {
    check_parts(direct());
    EXPECT_EQ(stand_in().count("batch read"), 11);
    EXPECT_EQ(stand_in().count("cuFileBatchIOSubmit 10"), 1);
    EXPECT_EQ(stand_in().count("cuFileBatchIOSetUp 10"), 1);
    EXPECT_EQ(stand_in().count("cuFileBatchIODestroy"), 1);
}

TEST_F(FileBatchTest, TransfersByTheOperatingSystemIfCufileHasNoBatches) {
    stand_in().properties.fflags = 0;
    const Bytes bytes = pattern(part);
    const File file(file_with(bytes), direct());
    auto buffer = on_device(Bytes(part));
    FileBatch batch(1);
    batch.read(file, buffer);
    batch.submit();
    EXPECT_TRUE(batch.wait(60s));
    EXPECT_EQ(batch.result(0).route, FileRoute::posix);
    EXPECT_EQ(on_host(buffer), bytes);
}

TEST_F(FileBatchTest, MixesFilesAndDirections) {
    const Bytes bytes = pattern(part);
    const File from(file_with(bytes), direct());
    const File to(folder_ / "to", {.write = true, .create = true, .route = FileRoute::posix});
    auto buffer = on_device(Bytes(part));
    const auto source = on_device(bytes);
    Bytes host(part);
    FileBatch batch(8);
    batch.read(from, buffer);
    batch.write(to, source);
    batch.read(from, host);  // memory of the host
    batch.read(from, host, {.size = 0});
    batch.submit();
    EXPECT_TRUE(batch.wait(60s));
    EXPECT_EQ(batch.result(0).route, FileRoute::gpu_direct);
    EXPECT_EQ(batch.result(1), (FileResult{part, FileRoute::posix, false}));
    EXPECT_EQ(batch.result(2).route, FileRoute::posix);
    EXPECT_EQ(batch.result(3).bytes, 0u);
    EXPECT_EQ(content_of(to.path()), bytes);
    EXPECT_EQ(on_host(buffer), bytes);
    EXPECT_EQ(host, bytes);
}

TEST_F(FileBatchTest, WaitsNoLongerThanTheTimeout) {
    stand_in().held = 1;
    const File file(file_with(pattern(part)), direct());
    auto buffer = on_device(Bytes(part)), other = on_device(Bytes(part));
    FileBatch batch(2);
    batch.read(file, buffer);
    batch.read(file, other);
    EXPECT_TRUE(batch.wait(0ms)) << "nothing was submitted";
    batch.submit();
    EXPECT_FALSE(batch.wait(0ms));
    EXPECT_FALSE(batch.wait(20ms));
    EXPECT_TRUE(batch.wait_for(1, 0ms));
    EXPECT_EQ(batch.state(0), FileRequestState::pending);
    EXPECT_EQ(batch.state(1), FileRequestState::complete);
    EXPECT_THROW(batch.clear(), std::invalid_argument);
    EXPECT_THROW((void)batch.result(0), std::invalid_argument);
    EXPECT_THROW((void)batch.wait(-1ms), std::invalid_argument);
    batch.cancel();
    EXPECT_EQ(batch.state(0), FileRequestState::canceled);
    EXPECT_EQ(batch.state(1), FileRequestState::complete);
    EXPECT_THAT(message_of<FileError>([&] { (void)batch.result(0); }), HasSubstr(file.path()));
    EXPECT_TRUE(batch.wait(0ms));
    batch.clear();
    stand_in().held = 0;
    batch.read(file, buffer);
    batch.submit();  // sets up a new batch
    EXPECT_TRUE(batch.wait(60s));
    EXPECT_EQ(stand_in().count("cuFileBatchIOCancel"), 1);
}

TEST_F(FileBatchTest, CancelsWhatHasNotBegun) {
    const File file(file_with(pattern(part)), {.route = FileRoute::posix});
    const File full("/dev/full", {.write = true, .route = FileRoute::posix});
    auto buffer = on_device(Bytes(part));
    FileBatch batch(2);
    batch.write(full, buffer);
    batch.read(file, buffer);
    batch.submit();
    EXPECT_TRUE(batch.wait(60s));
    EXPECT_EQ(batch.state(0), FileRequestState::failed);
    EXPECT_THAT(message_of<FileError>([&] { (void)batch.result(0); }), HasSubstr("/dev/full"));
    EXPECT_EQ(batch.state(1), FileRequestState::complete);
    batch.clear();
    batch.read(file, buffer);
    batch.cancel();
    EXPECT_EQ(batch.state(0), FileRequestState::canceled);
    batch.submit();  // nothing is left
    EXPECT_THROW((void)batch.result(0), FileError);
}

TEST_F(FileBatchTest, ReportsRequestsThatFail) {
    const File file(file_with(pattern(part)), direct());
    auto buffer = on_device(Bytes(part));
    stand_in().next = {-5, -static_cast<long>(cufile::CU_FILE_NOMEM_ERROR)};
    FileBatch batch(2);
    batch.read(file, buffer, {.file_offset = 7});
    batch.read(file, buffer);
    batch.submit();
    EXPECT_TRUE(batch.wait(60s));
    EXPECT_EQ(batch.state(0), FileRequestState::failed);
    try {
        (void)batch.result(0);
        ADD_FAILURE();
    } catch (const FileError& error) {
        EXPECT_EQ(error.system_code().value(), EIO);
        EXPECT_EQ(error.offset(), 7u);
    }
    try {
        (void)batch.result(1);
        ADD_FAILURE();
    } catch (const FileError& error) {
        EXPECT_EQ(error.code(), cufile::CU_FILE_NOMEM_ERROR);
    }
}

TEST_F(FileBatchTest, EndsInAnyOrder) {
    stand_in().held = 3;
    std::optional<File> file(std::in_place, file_with(pattern(part)), direct());
    std::optional<TypedBuffer<unsigned char>> buffer(on_device(Bytes(part)));
    FileBatch batch(2);
    batch.read(*file, *buffer);
    batch.submit();
    file.reset();
    buffer.reset();
    EXPECT_EQ(stand_in().handles, 1) << "the request retains the file";
    FileBatch moved = std::move(batch);
    EXPECT_THROW((void)batch.size(), std::invalid_argument);  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(moved.state(0), FileRequestState::pending);
}

TEST_F(FileBatchTest, RejectsMisuse) {
    const File file(file_with(pattern(part)), direct());
    auto buffer = on_device(Bytes(part));
    EXPECT_THROW((void)FileBatch(0), std::invalid_argument);
    FileBatch batch(1);
    EXPECT_EQ(batch.capacity(), 1u);
    EXPECT_THROW(batch.write(file, buffer), std::invalid_argument);
    EXPECT_THROW(batch.read(File(), buffer), std::invalid_argument);
    batch.read(file, buffer);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { batch.read(file, buffer); }), HasSubstr("1 requests"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)batch.state(1); }), HasSubstr("no request 1"));
    stand_in().properties.max_batch_io_size = 2;
    const File limited(file.path(), direct());
    FileBatch large(3);
    for (int i = 0; i < 3; ++i) large.read(limited, buffer);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { large.submit(); }), HasSubstr("limit of 2"));
    const Buffer huge = device_.allocate(stream_, (std::size_t{1} << 30) + 1);
    Buffer view = Buffer::view_of(huge.native_handle(), huge.size());
    FileBatch other(1);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { other.read(file, view); }), HasSubstr("1073741824"));
}

}  // namespace
}  // namespace cubind::testing
