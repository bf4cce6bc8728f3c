// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/external_file.hpp"

#include "objects/memory/address_space.hpp"
#include "objects/virtual/physical_store.hpp"
#include "objects/virtual/shared_file.hpp"
#include "shared/round_up.hpp"
#include "support/sealed_file.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr std::size_t page = 4096;

// Returns the bytes that can be mapped, or 0 for a descriptor that is not one of an anonymous file. The file cannot shrink
// afterwards.
std::uint64_t usable_size(int descriptor) {
    if (const auto exported = SharedFile::open(descriptor)) return exported->size();
    if (!is_sealed(descriptor, FileGrowth::possible) && !seal(descriptor, FileGrowth::possible)) return 0;
    return file_size(descriptor);
}

}  // namespace

// ---- views ---------------------------------------------------------------------------------------------------------------

FileView::FileView(int descriptor, std::uint64_t offset, std::size_t bytes)
    : into_(offset % page), size_(round_up(into_ + bytes, page)), allocated_(AddressSpace::instance().allocate(size_ + page)) {
    if (allocated_ == 0) return;
    const std::uintptr_t address = round_up(allocated_, page);
    if (!PhysicalStore::map_file(descriptor, address, size_, offset - into_)) return;
    mapped_ = address;
    PhysicalStore::instance().add_use(size_);
}

FileView::~FileView() {
    if (mapped_ != 0) {
        PhysicalStore::unmap(mapped_, size_);
        PhysicalStore::instance().remove_use(size_);
    }
    if (allocated_ != 0) AddressSpace::instance().free(allocated_, size_ + page);
}

// ---- files ---------------------------------------------------------------------------------------------------------------

std::shared_ptr<ExternalFile> ExternalFile::open(int descriptor, std::uint64_t size) {
    if (size == 0 || size > usable_size(descriptor)) return nullptr;
    return std::shared_ptr<ExternalFile>(new ExternalFile(descriptor, size));
}

std::shared_ptr<FileView> ExternalFile::map(std::uint64_t offset, std::size_t bytes) const {
    auto view = std::make_shared<FileView>(file_.descriptor(), offset, bytes);
    return view->address() != 0 ? view : nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim
