// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/external_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "objects/memory/address_space.hpp"
#include "objects/virtual/physical_store.hpp"
#include "objects/virtual/shared_file.hpp"
#include "support/sealed_file.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr std::size_t page = 4096;

// Returns the bytes that can be mapped, or 0 for a descriptor that is not one of an anonymous file. The file cannot shrink
// afterwards.
std::uint64_t usable_size(int descriptor) {
    if (const auto exported = SharedFile::open(descriptor)) return exported->size();
    if (!is_sealed(descriptor, FileGrowth::possible) && !seal(descriptor, FileGrowth::possible)) return 0;
    struct stat status {};
    return fstat(descriptor, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

}  // namespace

// ---- views ---------------------------------------------------------------------------------------------------------------

FileView::FileView(std::uintptr_t allocated, std::size_t allocated_size, std::uintptr_t address, std::size_t size,
                   std::size_t into)
    : allocated_(allocated), allocated_size_(allocated_size), address_(address), size_(size), into_(into) {
    PhysicalStore::instance().add_use(size);
}

FileView::~FileView() {
    PhysicalStore::unmap(address_, size_);
    AddressSpace::instance().free(allocated_, allocated_size_);
    PhysicalStore::instance().remove_use(size_);
}

// ---- files ---------------------------------------------------------------------------------------------------------------

std::shared_ptr<ExternalFile> ExternalFile::open(int descriptor, std::uint64_t size) {
    if (size == 0 || size > usable_size(descriptor)) return nullptr;
    return std::shared_ptr<ExternalFile>(new ExternalFile(descriptor, size));
}

ExternalFile::~ExternalFile() {
    close(descriptor_);
}

std::shared_ptr<FileView> ExternalFile::map(std::uint64_t offset, std::size_t bytes) const {
    const std::size_t into = offset % page;
    const std::size_t mapped = (into + bytes + page - 1) / page * page;
    const std::size_t allocated_size = mapped + page;  // includes space for the alignment
    const std::uintptr_t allocated = AddressSpace::instance().allocate(allocated_size);
    if (allocated == 0) return nullptr;
    const std::uintptr_t address = (allocated + page - 1) / page * page;
    if (!PhysicalStore::map_file(descriptor_, address, mapped, offset - into)) {
        AddressSpace::instance().free(allocated, allocated_size);
        return nullptr;
    }
    return std::make_shared<FileView>(allocated, allocated_size, address, mapped, into);
}

}  // namespace CUBIND_NAMESPACE::sim
