// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "storage/posix_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "platform/file.hpp"
#include "platform/write_signals.hpp"
#include "support/failures.hpp"

namespace CUBIND_NAMESPACE::detail::io {

namespace {

// Numbers of file systems in statfs(2).
constexpr long ext4_number = 0xEF53;
constexpr long xfs_number = 0x58465342;
constexpr long nfs_number = 0x6969;
constexpr long lustre_number = 0x0BD00BD0;
constexpr long gpfs_number = 0x47504653;
constexpr long beegfs_number = 0x19830326;

int flags_of(const OpenMode& mode) noexcept {
    int flags = mode.read && mode.write ? O_RDWR : mode.write ? O_WRONLY : O_RDONLY;
    if (mode.create) flags |= O_CREAT;
    if (mode.exclusive) flags |= O_EXCL;
    if (mode.truncate) flags |= O_TRUNC;
    return flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;  // a pipe is refused instead of waiting for its other end
}

Descriptor open_retrying(const char* path, int flags, unsigned permissions) noexcept {
    int number = -1;
    do {
        number = ::open(path, flags, permissions);
    } while (number < 0 && errno == EINTR);
    return beside_streams(number);
}

// One call, which a signal does not interrupt.
ssize_t read_once(int file, void* to, std::size_t size, std::uint64_t offset) noexcept {
    ssize_t count = 0;
    do {
        count = ::pread(file, to, std::min(size, max_call_size), static_cast<off_t>(offset));
    } while (count < 0 && errno == EINTR);
    return count;
}

ssize_t write_once(int file, const void* from, std::size_t size, std::uint64_t offset) noexcept {
    ssize_t count = 0;
    do {
        count = ::pwrite(file, from, std::min(size, max_call_size), static_cast<off_t>(offset));
    } while (count < 0 && errno == EINTR);
    return count;
}

// Whether a block device is an NVMe drive, or made of such drives only, as a RAID is.
bool is_nvme(std::uint64_t device) {
    std::string folder = "/sys/dev/block/" + std::to_string(major(device)) + ":" + std::to_string(minor(device)), real;
    if (find_real_path(folder.c_str(), real) != 0) return false;
    if (real.find("/nvme") != std::string::npos) return true;
    std::vector<std::string> parts;
    if (list_folder((real + "/slaves").c_str(), parts) != 0) return false;
    return !parts.empty() && std::ranges::all_of(parts, [](const std::string& each) { return each.starts_with("nvme"); });
}

}  // namespace

int PosixFile::open(const char* path, const OpenMode& mode, bool is_direct) noexcept {
    buffered_ = open_retrying(path, flags_of(mode), mode.permissions);
    if (!buffered_) return errno;
    FileStatus opened, again;
    if (const int error = status_of_file(buffered_.number(), opened); error != 0) return error;
    if (opened.kind == FileKind::folder) return EISDIR;
    if (::lseek(buffered_.number(), 0, SEEK_CUR) < 0) return errno;
    if (!is_direct) return 0;
    OpenMode existing = mode;
    existing.create = existing.exclusive = existing.truncate = false;
    direct_ = open_retrying(path, flags_of(existing) | O_DIRECT, 0);
    // Another file may have replaced it in between.
    uses_direct_ = direct_ && status_of_file(direct_.number(), again) == 0 && opened.is_same_file(again);
    return 0;
}

Storage PosixFile::storage() const noexcept try {
    struct statfs system;
    FileStatus status;
    if (::fstatfs(buffered_.number(), &system) != 0 || status_of_file(buffered_.number(), status) != 0) return Storage::other;
    switch (system.f_type) {
        case ext4_number:
        case xfs_number:
            return is_nvme(status.device) ? Storage::nvme : Storage::other;
        case nfs_number:
            return Storage::nfs;
        case lustre_number:
            return Storage::lustre;
        case gpfs_number:
            return Storage::gpfs;
        case beegfs_number:
            return Storage::beegfs;
        default:
            return Storage::other;
    }
} catch (...) {  // memory is exhausted
    return Storage::other;
}

int PosixFile::size(std::uint64_t& bytes) const noexcept {
    const off_t end = ::lseek(buffered_.number(), 0, SEEK_END);  // block devices have a size only in this way
    if (end < 0) return errno;
    bytes = static_cast<std::uint64_t>(end);
    return 0;
}

int PosixFile::store() const noexcept {
    return store_durably(buffered_.number());
}

ReadResult PosixFile::read(void* to, std::size_t size, std::uint64_t offset) const noexcept {
    std::size_t bytes = 0;
    while (bytes < size) {
        const ssize_t count = read_once(buffered_.number(), static_cast<std::byte*>(to) + bytes, size - bytes, offset + bytes);
        if (count < 0) return {errno, bytes};
        if (count == 0) break;
        bytes += static_cast<std::size_t>(count);
    }
    return {0, bytes};
}

Written PosixFile::write(const void* from, std::size_t size, std::uint64_t offset) const noexcept {
    WithoutWriteSignals signals;
    Written done;
    while (done.bytes < size) {
        const ssize_t count = write_once(buffered_.number(), static_cast<const std::byte*>(from) + done.bytes, size - done.bytes,
                                         offset + done.bytes);
        if (count <= 0) {
            done.error = count == 0 ? ENOSPC : errno;
            signals.has_failed = true;
            break;
        }
        done.bytes += static_cast<std::size_t>(count);
    }
    return done;
}

ReadResult PosixFile::read_chunk(std::byte* chunk, std::size_t size, std::uint64_t offset) const noexcept {
    const std::size_t head = offset % page;
    std::size_t bytes = 0;
    if (is_direct()) {
        const ssize_t count = read_once(direct_.number(), chunk, (head + size + page - 1) / page * page, offset - head);
        if (count < 0) {
            if (errno != EINVAL) return {errno, 0};
            uses_direct_ = false;
        } else if (static_cast<std::size_t>(count) > head) {
            bytes = std::min(static_cast<std::size_t>(count) - head, size);
        }
    }
    // The rest: all without a direct descriptor, or what follows a read that was short, which is nothing at the end of the file.
    const ReadResult rest = read(chunk + head + bytes, size - bytes, offset + bytes);
    return {rest.error, bytes + rest.bytes};
}

Written PosixFile::write_chunk(const std::byte* chunk, std::size_t size, std::uint64_t offset) const noexcept {
    std::size_t bytes = 0;
    if (is_direct() && offset % page == 0 && size >= page) {
        WithoutWriteSignals signals;
        const ssize_t count = write_once(direct_.number(), chunk, size / page * page, offset);
        signals.has_failed = count < 0;
        if (count >= 0) {
            bytes = static_cast<std::size_t>(count);
        } else if (errno == EINVAL) {
            uses_direct_ = false;
        } else {
            return {.bytes = 0, .error = errno};
        }
    }
    const Written rest = write(chunk + bytes, size - bytes, offset + bytes);
    return {.bytes = bytes + rest.bytes, .error = rest.error};
}

}  // namespace CUBIND_NAMESPACE::detail::io
