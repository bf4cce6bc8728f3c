// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/entry_file.hpp"

#include "cache/cache_folder.hpp"
#include "cache/entry_header.hpp"
#include "cache/file_names.hpp"
#include "cache/whole_transfer.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <ctime>

namespace cubind::detail {
namespace {

/// Last use is kept as the time of the last change: many file systems do not keep that of the last access, and backups spoil it.
/// The clock is read here because the file system's own is too coarse to order two uses.
void mark_as_used(int file) noexcept {
    timespec times[2];
    ::clock_gettime(CLOCK_REALTIME, &times[0]);
    times[1] = times[0];
    ::futimens(file, times);
}

int write_file(int file, const CacheKey& key, const Bytes& program) {
    const EntryHeader header = make_entry_header(key, program);
    if (::fchmod(file, 0600) != 0) return errno;
    if (const int error = write_whole(file, &header, sizeof header); error != 0) return error;
    if (const int error = write_whole(file, program.data(), program.size()); error != 0) return error;
    mark_as_used(file);
    // Else the name could outlive a power failure and the bytes not.
    return ::fsync(file) == 0 ? 0 : errno;
}

}  // namespace

std::size_t entry_file_size(const Bytes& program) noexcept { return sizeof(EntryHeader) + program.size(); }

ReadEntry read_entry(int folder, const std::string& name, const CacheKey& key) {
    const Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file) {
        if (errno == ENOENT) return {EntryState::absent};
        if (errno == ELOOP || errno == ENXIO) return {EntryState::damaged};  // a symbolic link, a socket
        return {EntryState::unreadable, {}, errno};
    }
    struct stat status;
    if (::fstat(file.number(), &status) != 0) return {EntryState::unreadable, {}, errno};
    if (!S_ISREG(status.st_mode) || !is_private(status)) return {EntryState::damaged};

    EntryHeader header;
    const auto file_size = static_cast<std::size_t>(status.st_size);
    if (file_size < sizeof header) return {EntryState::damaged};
    const std::size_t size = file_size - sizeof header;
    const Transfer head = read_whole(file.number(), &header, sizeof header);
    if (head.error != 0) return {EntryState::unreadable, {}, head.error};
    if (!head.is_whole || !fits(header, key, size)) return {EntryState::damaged};

    std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
    const Transfer body = read_whole(file.number(), bytes.get(), size);
    if (body.error != 0) return {EntryState::unreadable, {}, body.error};
    if (!body.is_whole || !is_intact(header, bytes.get())) return {EntryState::damaged};
    mark_as_used(file.number());
    return {EntryState::intact, Bytes(std::move(bytes), size)};
}

int write_entry(int folder, const std::string& name, const CacheKey& key, const Bytes& program) {
    const std::string temporary = temporary_name(key);
    int error = 0;
    {
        const Descriptor file(::openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!file) return errno;
        error = write_file(file.number(), key, program);
    }
    if (error == 0 && ::renameat(folder, temporary.c_str(), folder, name.c_str()) != 0) error = errno;
    if (error != 0) ::unlinkat(folder, temporary.c_str(), 0);
    return error;
}

}  // namespace cubind::detail
