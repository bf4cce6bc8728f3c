// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/virtual_buffer.hpp>
#include <cubind/driver/virtual_memory.hpp>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/imported_memory.hpp"
#include "memory/shareable_handle.hpp"
#include "memory/virtual_memory.hpp"

namespace CUBIND_NAMESPACE {

VirtualBuffer::VirtualBuffer(const VirtualMemoryResource& memory, StreamRef stream, std::size_t size,
                             const VirtualBufferOptions& options) {
    if (size == 0) detail::throw_misuse("a VirtualBuffer cannot have 0 bytes: its size must be at least 1 byte");
    if (options.reserve_size != 0 && options.reserve_size < size) {
        detail::throw_misuse("a buffer of ", size, " bytes cannot have a reserve_size of ", options.reserve_size,
                             " bytes: it must not be less than the size");
    }
    detail::FreeOrder order(stream);
    const std::shared_ptr<detail::VirtualMemory>& resource = memory.memory_;
    allocation_ = resource->allocate_growing(size, options.reserve_size);
    bytes_ =
        Buffer(allocation_->address(), size, MemoryResourceBase::default_alignment, resource.get(), resource, std::move(order));
}

void VirtualBuffer::grow(std::size_t size) {
    if (size < this->size()) {
        detail::throw_misuse("a VirtualBuffer of ", this->size(), " bytes cannot grow to ", size,
                             " bytes: a VirtualBuffer cannot shrink");
    }
    allocation().grow(size);
    bytes_.size_ = size;
}

std::size_t VirtualBuffer::capacity() const {
    return allocation().mapped_size();
}

std::size_t VirtualBuffer::reserved_size() const {
    return allocation().reserved_size();
}

void VirtualBuffer::set_access(Device device, MemoryAccess access) {
    allocation().set_access({MemoryLocation(device).native(), static_cast<driver::CUmemAccess_flags>(access)});
}

MemoryAccess VirtualBuffer::access(Device device) const {
    const driver::CUmemLocation location = MemoryLocation(device).native();
    const detail::RelaxedCaptureMode mode;
    return static_cast<MemoryAccess>(check(driver::cuMemGetAccess(&location, native_handle())));
}

// ---- other processes -----------------------------------------------------------------------------------------------------

ExportedMemory VirtualBuffer::export_memory() const {
    return allocation().export_parts(size(), SharingHandle::none);
}

ExportedMemory VirtualBuffer::export_memory(SharingHandle kind) const {
    detail::check_one_kind(kind);
    return allocation().export_parts(size(), kind);
}

VirtualBuffer VirtualBuffer::import_memory(Device device, StreamRef stream, const ExportedMemory& memory) {
    detail::FreeOrder order(stream);
    const std::shared_ptr<detail::ImportedMemory> resource = detail::ImportedMemory::open(device, memory);
    VirtualBuffer imported;
    imported.allocation_ = resource->allocation();
    imported.bytes_ = Buffer(imported.allocation_->address(), memory.size, MemoryResourceBase::default_alignment, resource.get(),
                             resource, std::move(order));
    return imported;
}

}  // namespace CUBIND_NAMESPACE
