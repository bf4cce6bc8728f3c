// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/shared_file.hpp"

#include <cubind/detail/write_signals.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::sim {

namespace {

/// The end of the file, after the memory.
struct Description {
    std::uint64_t mark;
    std::uint64_t size;
    CUmemAllocationProp properties;
};

constexpr std::uint64_t mark = 0x6375'6269'6e64'706d;
constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

bool write_description(int file, const Description& description) {
    cubind::detail::WithoutWriteSignals signals;
    const auto position = static_cast<off_t>(description.size);
    signals.has_failed = pwrite(file, &description, sizeof description, position) != static_cast<ssize_t>(sizeof description);
    return !signals.has_failed && fcntl(file, F_ADD_SEALS, seals) == 0;
}

}  // namespace

std::unique_ptr<SharedFile> SharedFile::create(std::size_t bytes, const CUmemAllocationProp& properties) {
    const int file = memfd_create("cubind-shared-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return nullptr;
    if (!write_description(file, {mark, bytes, properties})) {
        close(file);
        return nullptr;
    }
    return std::unique_ptr<SharedFile>(new SharedFile(file, bytes, properties));
}

std::unique_ptr<SharedFile> SharedFile::open(int descriptor) {
    const int found_seals = fcntl(descriptor, F_GET_SEALS);  // fails for files of other kinds
    if (found_seals < 0 || (found_seals & seals) != seals) return nullptr;
    struct stat status {};
    Description found{};
    if (fstat(descriptor, &status) != 0 || status.st_size < static_cast<off_t>(sizeof found)) return nullptr;
    const off_t position = status.st_size - static_cast<off_t>(sizeof found);
    const bool is_read = pread(descriptor, &found, sizeof found, position) == static_cast<ssize_t>(sizeof found);
    const bool is_valid = is_read && found.mark == mark && found.size == static_cast<std::uint64_t>(position) &&
                          found.size != 0 && found.size % physical_granularity == 0;
    if (!is_valid) return nullptr;
    const int file = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return file < 0 ? nullptr : std::unique_ptr<SharedFile>(new SharedFile(file, found.size, found.properties));
}

SharedFile::SharedFile(int file, std::size_t size, const CUmemAllocationProp& properties)
    : file_(file), size_(size), properties_(properties), store_(PhysicalStore::instance()) {
    struct stat status {};
    if (fstat(file, &status) == 0) {
        device_ = status.st_dev;
        number_ = status.st_ino;
    }
    store_.add_use(size);
}

SharedFile::~SharedFile() {
    close(file_);
    store_.remove_use(size_);
}

int SharedFile::share() const {
    return fcntl(file_, F_DUPFD_CLOEXEC, 0);
}

bool SharedFile::map(std::uintptr_t address) const {
    return PhysicalStore::map_file(file_, address, size_, 0);
}

}  // namespace CUBIND_NAMESPACE::sim
