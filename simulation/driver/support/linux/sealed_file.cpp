// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/sealed_file.hpp"

#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platform/file.hpp"
#include "platform/write_signals.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// If a program was started without standard output, its output must not be written to a file of the driver.
constexpr int first_descriptor = STDERR_FILENO + 1;

int seals_for(FileGrowth growth) noexcept {
    return F_SEAL_SHRINK | F_SEAL_SEAL | (growth == FileGrowth::prevented ? F_SEAL_GROW : 0);
}

}  // namespace

int create_anonymous_file(const char* name) noexcept {
    return cubind::detail::beside_streams(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)).release();
}

bool seal(int file, FileGrowth growth) noexcept {
    return fcntl(file, F_ADD_SEALS, seals_for(growth)) == 0;
}

bool is_sealed(int file, FileGrowth growth) noexcept {
    const int found = fcntl(file, F_GET_SEALS);
    return found >= 0 && (found & seals_for(growth)) == seals_for(growth);
}

bool set_file_size(int file, std::uint64_t size) noexcept {
    return cubind::detail::set_file_size(file, size) == 0;
}

std::uint64_t file_size(int file) noexcept {
    cubind::detail::FileStatus status;
    return cubind::detail::status_of_file(file, status) == 0 ? status.size : 0;
}

void free_range(int file, std::uint64_t offset, std::uint64_t size) noexcept {
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(size));
}

int open_file_of(int process, int descriptor) noexcept {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", process, descriptor);
    return ::open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

bool is_open(int file) noexcept {
    return fcntl(file, F_GETFD) >= 0;
}

bool write_at(int file, std::uint64_t position, const void* bytes, std::size_t size) noexcept {
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed = pwrite(file, bytes, size, static_cast<off_t>(position)) != static_cast<ssize_t>(size);
    return !signals.has_failed;
}

bool read_at(int file, std::uint64_t position, void* bytes, std::size_t size) noexcept {
    return pread(file, bytes, size, static_cast<off_t>(position)) == static_cast<ssize_t>(size);
}

int duplicate_descriptor(int file) noexcept {
    return fcntl(file, F_DUPFD_CLOEXEC, first_descriptor);
}

}  // namespace CUBIND_NAMESPACE::sim
