// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/sealed_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::sim {

namespace {

// If a program was started without standard output, its output must not be written to a file of the driver.
constexpr int first_descriptor = STDERR_FILENO + 1;

int seals_for(FileGrowth growth) noexcept {
    return F_SEAL_SHRINK | F_SEAL_SEAL | (growth == FileGrowth::prevented ? F_SEAL_GROW : 0);
}

}  // namespace

int create_anonymous_file(const char* name) noexcept {
    const int file = ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || file >= first_descriptor) return file;
    const int replacement = duplicate_descriptor(file);
    ::close(file);
    return replacement;
}

bool seal(int file, FileGrowth growth) noexcept {
    return fcntl(file, F_ADD_SEALS, seals_for(growth)) == 0;
}

bool is_sealed(int file, FileGrowth growth) noexcept {
    const int found = fcntl(file, F_GET_SEALS);
    return found >= 0 && (found & seals_for(growth)) == seals_for(growth);
}

bool set_file_size(int file, std::uint64_t size) noexcept {
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed = ftruncate(file, static_cast<off_t>(size)) != 0;
    return !signals.has_failed;
}

int duplicate_descriptor(int file) noexcept {
    return fcntl(file, F_DUPFD_CLOEXEC, first_descriptor);
}

}  // namespace CUBIND_NAMESPACE::sim
