// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/cache/entry_file.hpp"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/hash.hpp"
#include "platform/descriptor.hpp"
#include "platform/path_trust.hpp"
#include "program/cache/compile_lock.hpp"
#include "program/cache/folder_content.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// ---- content -------------------------------------------------------------------------------------------------------------

/// The beginning of a program's file; the program follows. Numbers are in the byte order of the machine. On a machine with
/// another byte order, the magic number does not match.
struct EntryHeader {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t reserved;
    std::uint64_t length;
    CacheKey key;
    /// The hash of the fields above and of the program.
    Hash checksum;
};
static_assert(sizeof(EntryHeader) == 88);

constexpr std::uint64_t magic = 0x4d474f5250425543;  // "CUBPROGM" in little-endian order

Hash checksum(const EntryHeader& header, const void* program) noexcept {
    RunningHash hash;
    hash.add(&header, offsetof(EntryHeader, checksum));
    hash.add(program, header.length);
    return hash.value();
}

EntryHeader make_entry_header(const CacheKey& key, const Bytes& program) noexcept {
    EntryHeader header{magic, entry_format_version, 0, program.size(), key, {}};
    header.checksum = checksum(header, program.data());
    return header;
}

// Whether a file with this header can contain a program of this key and length. This is checked before the program is
// read.
bool matches(const EntryHeader& header, const CacheKey& key, std::uint64_t length) noexcept {
    return header.magic == magic && header.version == entry_format_version && header.length == length && header.key == key;
}

// Whether header and program are unchanged since they were written.
bool is_intact(const EntryHeader& header, const void* program) noexcept {
    return header.checksum == checksum(header, program);
}

// ---- files ---------------------------------------------------------------------------------------------------------------

/// Stores the time of the last use as the modification time: many file systems do not store access times, and backups change
/// them. The clock is read here because the clock of the file system is too coarse to order two uses.
void mark_as_used(int file) noexcept {
    timespec times[2];
    ::clock_gettime(CLOCK_REALTIME, &times[0]);
    times[1] = times[0];
    ::futimens(file, times);
}

int write_file(int file, const CacheKey& key, const Bytes& program) {
    const EntryHeader header = make_entry_header(key, program);
    if (::fchmod(file, 0600) != 0) return errno;
    if (const int error = write_all(file, &header, sizeof header); error != 0) return error;
    if (const int error = write_all(file, program.data(), program.size()); error != 0) return error;
    mark_as_used(file);
    // Without fsync(), a power failure could preserve the name of the file and lose its bytes.
    return ::fsync(file) == 0 ? 0 : errno;
}

}  // namespace

std::size_t entry_file_size(const Bytes& program) noexcept {
    return sizeof(EntryHeader) + program.size();
}

ReadEntry read_entry(int folder, const std::string& name, const CacheKey& key) {
    const Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file) {
        if (errno == ENOENT) return {EntryState::absent};
        if (errno == ELOOP || errno == ENXIO) return {EntryState::damaged};  // a symbolic link, a socket
        return {EntryState::unreadable, {}, errno};
    }
    struct stat status;
    if (::fstat(file.number(), &status) != 0) return {EntryState::unreadable, {}, errno};
    if (!S_ISREG(status.st_mode) || !is_trusted_file(status)) return {EntryState::damaged};

    EntryHeader header;
    const auto file_size = static_cast<std::size_t>(status.st_size);
    if (file_size < sizeof header) return {EntryState::damaged};
    const std::size_t size = file_size - sizeof header;
    const ReadResult head = read_all(file.number(), &header, sizeof header);
    if (head.error != 0) return {EntryState::unreadable, {}, head.error};
    if (!head.is_whole || !matches(header, key, size)) return {EntryState::damaged};

    std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
    const ReadResult body = read_all(file.number(), bytes.get(), size);
    if (body.error != 0) return {EntryState::unreadable, {}, body.error};
    if (!body.is_whole || !is_intact(header, bytes.get())) return {EntryState::damaged};
    if (status.st_uid == ::geteuid()) mark_as_used(file.number());
    return {EntryState::intact, Bytes(std::move(bytes), size)};
}

int write_entry(int folder, const std::string& name, const CacheKey& key, const Bytes& program) {
    for (;;) {
        const std::string temporary = temporary_name(key);
        constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
        const Descriptor file(::openat(folder, temporary.c_str(), flags, 0600));
        if (!file) return errno;
        // The lock shows other processes that the file is being written.
        if (!lock_new_file(file.number(), folder, temporary)) continue;
        int error = write_file(file.number(), key, program);
        if (error == 0 && ::renameat(folder, temporary.c_str(), folder, name.c_str()) != 0) error = errno;
        if (error != 0) ::unlinkat(folder, temporary.c_str(), 0);
        return error;
    }
}

}  // namespace CUBIND_NAMESPACE::detail
