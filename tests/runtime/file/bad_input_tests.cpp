// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <limits>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "file_test.hpp"
#include "sanitizers.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

/// Returns the error of an operation that must fail.
template <class Call>
FileError error_of(Call call) {
    try {
        call();
    } catch (const FileError& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return {Error("", "", 0, "", ""), {"nothing"}, driver::CUDA_SUCCESS, ""};
}

/// Sets a limit of the process as long as the object exists.
class ScopedLimit {
public:
    ScopedLimit(decltype(RLIMIT_FSIZE) which, rlim_t value) : which_(which) {
        ::getrlimit(which, &before_);
        const rlimit limit{value, before_.rlim_max};
        EXPECT_EQ(::setrlimit(which, &limit), 0);
    }
    ~ScopedLimit() { ::setrlimit(which_, &before_); }

private:
    decltype(RLIMIT_FSIZE) which_;
    rlimit before_{};
};

class BadFileTest : public PosixFileTest {
protected:
    [[nodiscard]] int code_of_open(const std::string& path, const FileOptions& options = {}) const {
        const FileError error = error_of([&] { const File file(path, options); });
        EXPECT_EQ(error.operation(), "open");
        EXPECT_EQ(error.path(), path);
        EXPECT_THAT(error.what(), HasSubstr(path));
        EXPECT_EQ(error.library(), "system");
        EXPECT_EQ(error.system_code().value(), error.code().value());
        return error.code().value();
    }

    TypedBuffer<unsigned char> buffer_ = on_device(Bytes(100));
};

TEST_F(BadFileTest, NamesAPathThatCannotBeOpened) {
    EXPECT_EQ(code_of_open(folder_ / "missing"), ENOENT);
    EXPECT_EQ(code_of_open(folder_ / "missing/file", {.write = true, .create = true}), ENOENT);
    EXPECT_EQ(code_of_open(folder_ / "."), EISDIR);
    EXPECT_EQ(code_of_open(folder_ / ".", {.write = true}), EISDIR);
    EXPECT_EQ(code_of_open(file_with({}), {.write = true, .create = true, .exclusive = true}), EEXIST);
    EXPECT_EQ(code_of_open(folder_ / std::string(300, 'x').c_str()), ENAMETOOLONG);
}

TEST_F(BadFileTest, RefusesFilesWithoutOffsets) {
    const std::string fifo = folder_ / "fifo", socket = folder_ / "socket";
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    EXPECT_EQ(code_of_open(fifo), ESPIPE);
    EXPECT_EQ(code_of_open(fifo, {.read = false, .write = true}), ENXIO);
    EXPECT_EQ(code_of_open(fifo, {.write = true}), ESPIPE);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket.copy(address.sun_path, sizeof address.sun_path - 1);
    const int listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(code_of_open(socket), ENXIO);
    ::close(listening);
}

TEST_F(BadFileTest, NeedsPermission) {
    const std::string path = file_with(pattern(10));
    ASSERT_EQ(::chmod(path.c_str(), 0000), 0);
    ASSERT_EQ(::chmod((folder_ / ".").c_str(), 0755), 0);
    const uid_t user = ::geteuid();
    constexpr uid_t nobody = 65534;
    if (user == 0 && ::seteuid(nobody) != 0) GTEST_SKIP() << "this user may open every file";
    EXPECT_EQ(code_of_open(path), EACCES);
    EXPECT_EQ(::seteuid(user), 0);
}

TEST_F(BadFileTest, SaysThatDescriptorsAreExhausted) {
    if (CUBIND_TEST_ADDRESS_SANITIZER) GTEST_SKIP() << "the undefined-behavior sanitizer of the same build needs descriptors";
    const std::string path = file_with(pattern(10));
    const ScopedLimit limit(RLIMIT_NOFILE, 0);
    EXPECT_EQ(code_of_open(path), EMFILE);
}

TEST_F(BadFileTest, RefusesOptionsThatContradictEachOther) {
    const std::string path = file_with({});
    const auto message = [&](const FileOptions& options) {
        return message_of<std::invalid_argument>([&] { const File file(path, options); });
    };
    EXPECT_THAT(message({.read = false}), HasSubstr("write"));
    EXPECT_THAT(message({.create = true}), HasSubstr("create"));
    EXPECT_THAT(message({.truncate = true}), HasSubstr("truncate"));
    EXPECT_THAT(message({.write = true, .exclusive = true}), HasSubstr("exclusive"));
    EXPECT_THAT(message({.chunk_size = 5000}), HasSubstr("5000"));
    EXPECT_THAT(message({.chunk_size = 0}), HasSubstr("4096"));
    EXPECT_THAT(message({.chunk_size = std::size_t{1} << 40}), HasSubstr("1073741824"));
    EXPECT_THAT(message({.chunk_count = 1}), HasSubstr("2"));
    EXPECT_THROW((void)File(""), std::invalid_argument);
    EXPECT_THROW((void)File(std::string("a\0b", 3)), std::invalid_argument);
}

TEST_F(BadFileTest, ChecksDirections) {
    const std::string path = file_with(pattern(10));
    const File reading(path), writing(path, {.read = false, .write = true});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { reading.write(buffer_); }), HasSubstr("write"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { writing.read(buffer_); }), HasSubstr(path));
    EXPECT_THROW(static_cast<void>(reading.write_async(stream_, buffer_)), std::invalid_argument);
    EXPECT_EQ(content_of(path), pattern(10));
}

TEST_F(BadFileTest, ChecksRanges) {
    const File file(file_with(pattern(10)), {.write = true});
    const auto message = [&](const FileRange& range) {
        return message_of<std::invalid_argument>([&] { file.read(buffer_, range); });
    };
    EXPECT_THAT(message({.memory_offset = 101}), HasSubstr("101"));
    EXPECT_THAT(message({.memory_offset = 1, .size = 100}), HasSubstr("100 bytes"));
    EXPECT_THAT(message({.size = std::numeric_limits<std::size_t>::max() - 1}), HasSubstr("100 bytes"));
    constexpr auto negative = static_cast<std::uint64_t>(std::int64_t{-1});
    EXPECT_THAT(message({.file_offset = negative}), HasSubstr("negative"));
    EXPECT_THAT(message({.file_offset = negative, .size = 0}), HasSubstr("2^63"));
    EXPECT_THAT(message({.file_offset = std::uint64_t{1} << 63}), HasSubstr("9223372036854775808"));
    EXPECT_THAT(message({.file_offset = (std::uint64_t{1} << 63) - 100}), HasSubstr("100 bytes"));
    EXPECT_THROW(file.write(buffer_, {.memory_offset = 101}), std::invalid_argument);
}

TEST_F(BadFileTest, ChecksMemory) {
    const File file(file_with(pattern(5000)), {.write = true});
    const std::span<unsigned char> beyond(buffer_.span().data() + 50, std::size_t{1} << 30);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { file.read(beyond); }), HasSubstr("1073741824"));
    const Buffer closed;
    EXPECT_THROW(file.write(closed), std::invalid_argument);
    const std::span<unsigned char> nowhere(reinterpret_cast<unsigned char*>(4096), 100);
    const FileError error = error_of([&] { file.read(nowhere); });
    EXPECT_EQ(error.code().value(), EFAULT);
    EXPECT_EQ(error.operation(), "read");
    EXPECT_EQ(error_of([&] { file.write(nowhere, {.file_offset = 7}); }).offset(), 7u);
}

TEST_F(BadFileTest, StatesHowMuchWasWrittenToAFullDevice) {
    const File full("/dev/full", {.write = true});
    const FileError error = error_of([&] { full.write(buffer_); });
    EXPECT_EQ(error.code().value(), ENOSPC);
    EXPECT_EQ(error.size(), 100u);
    EXPECT_EQ(error.completed(), 0u);
    EXPECT_THAT(error.what(), HasSubstr("full"));

    const FileOptions options{.write = true, .create = true, .chunk_size = 4096};
    const File file(folder_ / "limited", options);
    const auto large = on_device(pattern(50000));
    const ScopedLimit limit(RLIMIT_FSIZE, 6000);
    const FileError too_large = error_of([&] { file.write(large); });
    EXPECT_EQ(too_large.code().value(), EFBIG);
    EXPECT_EQ(too_large.completed(), 6000u);
    EXPECT_EQ(too_large.size(), 50000u);
    const FileTransfer pending = file.write_async(stream_, large);
    pending.wait();
    EXPECT_EQ(error_of([&] { (void)pending.result(); }).completed(), 6000u);
}

TEST_F(BadFileTest, HasStatementsThatDoNotCompile) {
    static_assert(!detail::io::Destination<const std::vector<int>&>);
    static_assert(!detail::io::Destination<std::vector<int>>, "a temporary object ends before it is used");
    static_assert(!detail::io::Source<TypedBuffer<float>>);
    static_assert(!detail::io::Source<int&>, "a value has no elements");
    static_assert(detail::io::Source<const std::vector<int>&> && detail::io::Destination<std::span<float>>);
}

}  // namespace
}  // namespace cubind::testing
