// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/shared_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "support/sealed_file.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// The end of the file, after the memory.
struct Description {
    std::uint64_t mark;
    std::uint64_t size;
    CUmemAllocationProp properties;
};

constexpr std::uint64_t mark = 0x6375'6269'6e64'706d;

}  // namespace

std::unique_ptr<SharedFile> SharedFile::create(std::size_t bytes, const CUmemAllocationProp& properties) {
    const int file = create_anonymous_file("cubind-shared-memory");
    if (file < 0) return nullptr;
    if (!write_at(file, bytes, Description{mark, bytes, properties}) || !seal(file, FileGrowth::prevented)) {
        close(file);
        return nullptr;
    }
    return std::unique_ptr<SharedFile>(new SharedFile(file, bytes, properties));
}

std::unique_ptr<SharedFile> SharedFile::open(int descriptor) {
    if (!is_sealed(descriptor, FileGrowth::prevented)) return nullptr;
    struct stat status {};
    Description found{};
    if (fstat(descriptor, &status) != 0 || status.st_size < static_cast<off_t>(sizeof found)) return nullptr;
    const std::uint64_t position = static_cast<std::uint64_t>(status.st_size) - sizeof found;
    const bool is_valid = read_at(descriptor, position, found) && found.mark == mark && found.size == position &&
                          found.size != 0 && found.size % physical_granularity == 0;
    if (!is_valid) return nullptr;
    const int file = duplicate_descriptor(descriptor);
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
    return duplicate_descriptor(file_);
}

bool SharedFile::map(std::uintptr_t address) const {
    return PhysicalStore::map_file(file_, address, size_, 0);
}

}  // namespace CUBIND_NAMESPACE::sim
