// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/shared_file.hpp"

#include <utility>

#include "support/sealed_file.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

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
    OwnedFile file(create_anonymous_file("cubind-shared-memory"));
    const int descriptor = file.descriptor();
    const bool is_complete = descriptor >= 0 && write_at(descriptor, bytes, Description{mark, bytes, properties}) &&
                             seal(descriptor, FileGrowth::prevented);
    return is_complete ? std::unique_ptr<SharedFile>(new SharedFile(std::move(file), bytes, properties)) : nullptr;
}

std::unique_ptr<SharedFile> SharedFile::open(int descriptor) {
    if (!is_sealed(descriptor, FileGrowth::prevented)) return nullptr;
    Description found{};
    const std::uint64_t size = file_size(descriptor);
    if (size < sizeof found) return nullptr;
    const std::uint64_t position = size - sizeof found;
    const bool is_valid = read_at(descriptor, position, found) && found.mark == mark && found.size == position &&
                          found.size != 0 && found.size % physical_granularity == 0;
    if (!is_valid) return nullptr;
    OwnedFile file(duplicate_descriptor(descriptor));
    if (file.descriptor() < 0) return nullptr;
    return std::unique_ptr<SharedFile>(new SharedFile(std::move(file), found.size, found.properties));
}

SharedFile::SharedFile(OwnedFile file, std::size_t size, const CUmemAllocationProp& properties)
    : file_(std::move(file)), size_(size), properties_(properties), store_(PhysicalStore::instance()) {
    store_.add_use(size);
}

SharedFile::~SharedFile() {
    store_.remove_use(size_);
}

int SharedFile::share() const {
    return duplicate_descriptor(file_.descriptor());
}

bool SharedFile::map(std::uintptr_t address) const {
    return PhysicalStore::map_file(file_.descriptor(), address, size_, 0);
}

}  // namespace CUBIND_NAMESPACE::sim
