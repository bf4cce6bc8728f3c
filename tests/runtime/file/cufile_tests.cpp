// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Transfers by cuFile: a stand-in records them.
#include <cerrno>
#include <stdexcept>
#include <string>
#include <utility>

#include "file_test.hpp"
#include "gate.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t giga = std::size_t{1} << 30;

TEST_F(CufileTest, TransfersMemoryOfADevice) {
    const Bytes bytes = pattern(10000);
    const auto from = on_device(bytes);
    const File file(folder_ / "written", {.write = true, .create = true, .route = FileRoute::gpu_direct});
    EXPECT_EQ(file.route(), FileRoute::gpu_direct);
    EXPECT_EQ(file.route_reason(), "");
    EXPECT_EQ(stand_in().count("cuFileHandleRegister direct"), 1);
    EXPECT_EQ(file.write(from, {.file_offset = 5}), (FileResult{10000, FileRoute::gpu_direct, false}));
    EXPECT_EQ(latest().function, "cuFileWrite");
    EXPECT_EQ(latest().handle, file.native_handle());
    EXPECT_EQ(latest().base, from.span().data());
    EXPECT_EQ(latest().size, 10000u);
    EXPECT_EQ(latest().file_offset, 5);
    EXPECT_EQ(latest().memory_offset, 0);
    auto to = on_device(Bytes(10000, 0xAB));
    EXPECT_EQ(file.read(to, {.file_offset = 5, .memory_offset = 9, .size = 100}),
              (FileResult{100, FileRoute::gpu_direct, false}));
    EXPECT_EQ(latest().memory_offset, 0);
    EXPECT_EQ(latest().base, to.span().data() + 9);
    EXPECT_EQ(on_host(to)[8], 0xAB);
    EXPECT_EQ(on_host(to)[9], bytes[0]);
    EXPECT_EQ(file.read(to, {.file_offset = 6}), (FileResult{9999, FileRoute::gpu_direct, true}));
    Bytes host(10);
    EXPECT_EQ(file.read(host, {.file_offset = 5}).route, FileRoute::posix) << "memory of the host";
    EXPECT_EQ(host[3], bytes[3]);
}

TEST_F(CufileTest, ChoosesTheRoute) {
    const std::string path = file_with(pattern(10));
    const auto route_of = [&](std::optional<FileRoute> route) { return File(path, {.route = route}).route(); };
    EXPECT_EQ(route_of(FileRoute::posix), FileRoute::posix);
    EXPECT_EQ(stand_in().count("cuFileDriverOpen"), 0);
    EXPECT_EQ(route_of(FileRoute::gpu_direct), FileRoute::gpu_direct);
    stand_in().properties.nvfs.major_version = 0;
    EXPECT_EQ(route_of(FileRoute::cufile), FileRoute::cufile);
    EXPECT_EQ(stand_in().count("cuFileHandleRegister"), 1) << "with the page cache";
    EXPECT_EQ(File(path, {.direct = true, .route = FileRoute::cufile}).route(), FileRoute::cufile);
    EXPECT_EQ(route_of(std::nullopt), FileRoute::posix);
    EXPECT_THAT(message_of<FileError>([&] { (void)route_of(FileRoute::gpu_direct); }), HasSubstr("GPUDirect Storage"));
    EXPECT_FALSE(File(path).route_reason().empty());
}

TEST_F(CufileTest, ReportsARefusedFile) {
    const std::string path = file_with(pattern(10));
    stand_in().fail("cuFileHandleRegister", cufile::CU_FILE_IO_NOT_SUPPORTED);
    const std::string message = message_of<FileError>([&] { const File file(path, direct()); });
    EXPECT_THAT(message, HasSubstr(path));
    EXPECT_THAT(message, HasSubstr("5008"));
    EXPECT_THAT(message, HasSubstr("posix"));
}

TEST_F(CufileTest, DividesLargeTransfers) {
    stand_in().transfers = false;
    const File file(file_with({}), direct(true));
    const Buffer memory = device_.allocate(stream_, 5 * giga / 2);
    stream_.synchronize();
    EXPECT_EQ(file.write(memory, {.file_offset = 3 * giga}).bytes, 5 * giga / 2);
    ASSERT_EQ(stand_in().calls.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(stand_in().calls[i].size, i == 2 ? giga / 2 : giga);
        EXPECT_EQ(stand_in().calls[i].file_offset, static_cast<long>((3 + i) * giga));
        EXPECT_EQ(stand_in().calls[i].memory_offset, static_cast<long>(i * giga));
    }
    const FileTransfer pending = file.write_async(stream_, memory);
    pending.wait();
    EXPECT_EQ(pending.result(), (FileResult{5 * giga / 2, FileRoute::gpu_direct, false}));
    EXPECT_EQ(stand_in().count("cuFileWriteAsync"), 3);
    EXPECT_EQ(latest().memory_offset, static_cast<long>(2 * giga));
    EXPECT_EQ(latest().size, giga / 2);
}

TEST_F(CufileTest, ContinuesShortTransfersAndInterruptedOnes) {
    const Bytes bytes = pattern(1000);
    const File file(file_with(bytes), direct(true));
    auto buffer = on_device(Bytes(1000));
    stand_in().next = {-1, 100};
    stand_in().next_errno = EINTR;
    EXPECT_EQ(file.read(buffer).bytes, 1000u);
    ASSERT_EQ(stand_in().calls.size(), 3u);
    EXPECT_EQ(latest().file_offset, 100);
    EXPECT_EQ(latest().memory_offset, 100);
    EXPECT_EQ(latest().size, 900u);
    stand_in().next = {400, 0};
    EXPECT_EQ(file.read(buffer), (FileResult{400, FileRoute::gpu_direct, true}));
}

TEST_F(CufileTest, StatesBothCodesOfAFailure) {
    const File file(file_with(pattern(1000)), direct(true));
    auto buffer = on_device(Bytes(1000));
    stand_in().next = {100, -static_cast<long>(cufile::CU_FILE_PERMISSION_DENIED)};
    try {
        file.read(buffer, {.file_offset = 3, .size = 900});
        ADD_FAILURE();
    } catch (const FileError& error) {
        EXPECT_EQ(error.code(), cufile::CU_FILE_PERMISSION_DENIED);
        EXPECT_EQ(error.function(), "cuFileRead");
        EXPECT_EQ(error.offset(), 3u);
        EXPECT_EQ(error.size(), 900u);
        EXPECT_EQ(error.completed(), 100u);
        EXPECT_EQ(error.system_code(), std::error_code());
        for (const char* text : {"CU_FILE_PERMISSION_DENIED", "5025", "900 bytes", "offset 3", "100 were"}) {
            EXPECT_THAT(error.what(), HasSubstr(text));
        }
    }
    stand_in().next = {-1};
    stand_in().next_errno = ENOSPC;
    EXPECT_THAT(message_of<FileError>([&] { file.write(buffer); }), HasSubstr("full"));
    stand_in().next = {0};
    EXPECT_THAT(message_of<FileError>([&] { file.write(buffer); }), HasSubstr("cuFileWrite"));
    const FileError with_driver(Error("cufile", "cuFileDriverOpen", 5011, "CU_FILE_CUDA_DRIVER_ERROR", "it failed"), {"open"},
                                driver::CUDA_ERROR_OUT_OF_MEMORY, "Do this.");
    EXPECT_EQ(with_driver.driver_status(), driver::CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_THAT(with_driver.what(), HasSubstr("CUDA_ERROR_OUT_OF_MEMORY (2)"));
}

TEST_F(CufileTest, OwnsTheParametersOfTransfersInAStream) {
    const Bytes bytes = pattern(1000);
    auto buffer = on_device(Bytes(1000));
    const std::string path = file_with(bytes);
    FileTransfer read;
    {
        Gate gate(stream_);
        {
            const File file(path, direct());
            read = file.read_async(stream_, buffer, {.file_offset = 10, .memory_offset = 20, .size = 500});
        }
        EXPECT_EQ(stand_in().handles, 1) << "the transfer retains the file";
        EXPECT_FALSE(read.is_done());
    }
    EXPECT_EQ(read.result(), (FileResult{500, FileRoute::gpu_direct, false}));
    EXPECT_EQ(latest().function, "cuFileReadAsync");
    EXPECT_EQ(latest().stream, stream_.native_handle());
    EXPECT_EQ(latest().file_offset, 10);
    EXPECT_EQ(on_host(buffer)[20], bytes[10]);
    read = {};
    destroy_deferred_objects();
    EXPECT_EQ(stand_in().handles, 0);
}

TEST_F(CufileTest, ReportsTheEndAndFailuresOfTransfersInAStream) {
    const File file(file_with(pattern(1000)), direct(true));
    auto buffer = on_device(Bytes(2000));
    const FileTransfer read = file.read_async(stream_, buffer);
    stream_.synchronize();
    EXPECT_EQ(read.result(), (FileResult{1000, FileRoute::gpu_direct, true}));
    stand_in().next = {-static_cast<long>(cufile::CU_FILE_IO_ERROR)};
    const FileTransfer failed = file.read_async(stream_, buffer);
    stream_.synchronize();
    EXPECT_THAT(message_of<FileError>([&] { (void)failed.result(); }), HasSubstr("CU_FILE_IO_ERROR"));
    stand_in().next = {5};
    const FileTransfer cut = file.write_async(stream_, buffer);
    stream_.synchronize();
    EXPECT_THAT(message_of<FileError>([&] { (void)cut.result(); }), HasSubstr("5 were"));
}

TEST_F(CufileTest, TransfersInAStreamByTheOperatingSystemIfCufileCannot) {
    stand_in().properties.fflags = 0;
    const Bytes bytes = pattern(1000);
    const File file(file_with(bytes), direct());
    auto buffer = on_device(Bytes(1000));
    const FileTransfer read = file.read_async(stream_, buffer);
    stream_.synchronize();
    EXPECT_EQ(read.result(), (FileResult{1000, FileRoute::posix, false}));
    EXPECT_EQ(on_host(buffer), bytes);
}

// ---- registered memory ---------------------------------------------------------------------------------------------------

TEST_F(CufileTest, RegistersMemory) {
    auto buffer = on_device(Bytes(1000));
    const File file(file_with(pattern(1000)), direct());
    RegisteredFileBuffer registered(buffer);
    EXPECT_TRUE(registered.is_registered());
    EXPECT_EQ(stand_in().registered.at(buffer.span().data()), 1000u);
    file.read(buffer.subspan(100, 50));
    EXPECT_EQ(latest().base, buffer.span().data()) << "cuFile finds registered memory by its beginning";
    EXPECT_EQ(latest().memory_offset, 100);
    EXPECT_THAT(message_of<FileError>([&] { const RegisteredFileBuffer again(buffer); }),
                HasSubstr("CU_FILE_MEMORY_ALREADY_REGISTERED"));
    file.read(buffer.subspan(100, 50));
    EXPECT_EQ(latest().memory_offset, 100) << "the first registration remains";
    registered.close();
    registered.close();
    EXPECT_TRUE(registered.is_closed());
    file.read(buffer.subspan(100, 50));
    EXPECT_EQ(latest().memory_offset, 0);
}

TEST_F(CufileTest, EndsRegistrationsInAnyOrder) {
    std::optional<TypedBuffer<unsigned char>> buffer(on_device(Bytes(1000)));
    std::optional<File> file(std::in_place, file_with(pattern(1000)), direct());
    RegisteredFileBuffer registered(*buffer), other;
    buffer.reset();  // the registration retains the memory
    file.reset();
    EXPECT_EQ(stand_in().open, 1) << "the registration keeps cuFile open";
    other = std::move(registered);
    EXPECT_TRUE(registered.is_closed());  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(other.is_registered());
    other = RegisteredFileBuffer();
    EXPECT_EQ(stand_in().open, 0);
}

TEST_F(CufileTest, RegistersNothingWithoutGpuDirectStorage) {
    const auto buffer = on_device(Bytes(10));
    stand_in().properties.nvfs.major_version = 0;
    EXPECT_FALSE(RegisteredFileBuffer(buffer).is_registered());
    stand_in().properties.nvfs.dstatusflags = 1U << cufile::CU_FILE_NVME_P2P_SUPPORTED;
    EXPECT_TRUE(RegisteredFileBuffer(buffer).is_registered());
    stand_in().fail("cuFileDriverOpen", cufile::CU_FILE_NVFS_DRIVER_ERROR);
    EXPECT_FALSE(RegisteredFileBuffer(buffer).is_registered());
}

TEST_F(CufileTest, RegistersOnlyMemoryOfDevices) {
    Bytes host(10);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { const RegisteredFileBuffer registered(host); }), HasSubstr("device"));
    const auto empty = device_.allocate<int>(stream_, 0);
    EXPECT_THROW((void)RegisteredFileBuffer{empty}, std::invalid_argument);
}

TEST_F(PosixFileTest, RegistersNothingWithoutCufile) {
    const auto buffer = on_device(Bytes(10));
    const RegisteredFileBuffer registered(buffer);
    EXPECT_FALSE(registered.is_registered());
    EXPECT_FALSE(registered.is_closed());
}

// A status that is a struct.
TEST_F(CufileTest, FailsByTheLayerOfFaults) {
    const std::string path = file_with(pattern(4096));
    layers::faults::start();
    layers::faults::fail("cuFileHandleRegister", cufile::CU_FILE_IO_NOT_SUPPORTED);
    try {
        const File file(path, direct());
        ADD_FAILURE() << "nothing was thrown";
    } catch (const FileError& error) {
        EXPECT_EQ(error.function(), "cuFileHandleRegister");
        EXPECT_EQ(error.code().value(), cufile::CU_FILE_IO_NOT_SUPPORTED);
    }
    EXPECT_EQ(layers::faults::calls("cuFileHandleRegister"), 1u);
    EXPECT_EQ(stand_in().count("cuFileHandleRegister"), 0);
    EXPECT_THROW(layers::faults::fail("cuFileRead", 1), std::invalid_argument) << "it returns a number of bytes";
}

}  // namespace
}  // namespace cubind::testing
