// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/memory_location.hpp>
#include <cubind/driver/virtual_memory.hpp>

#include <algorithm>

#include "calls/driver.hpp"
#include "files/random_numbers.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/physical_handle.hpp"
#include "memory/virtual_allocation.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

constexpr auto shareable = driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

FileDescriptor export_memory(driver::CUdeviceptr address) {
    const PhysicalHandle memory(check(driver::cuMemRetainAllocationHandle(reinterpret_cast<void*>(address))));
    int descriptor = -1;
    check(driver::cuMemExportToShareableHandle(&descriptor, memory.native(), shareable, 0));
    return FileDescriptor::from_native_handle(descriptor);
}

PhysicalHandle import_memory(const FileDescriptor& descriptor) {
    void* const number = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor.native_handle()));
    return PhysicalHandle(check(driver::cuMemImportFromShareableHandle(number, shareable)));
}

driver::CUmemAccessDesc read_write(const driver::CUmemLocation& location) {
    return {location, driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
}

}  // namespace

ExportedMemory VirtualAllocation::export_parts(std::size_t size) {
    const std::lock_guard lock(mutex_);
    if (is_imported_) throw_misuse("imported memory can be exported only by the process that has allocated it");
    if ((kind_.properties.requestedHandleTypes & shareable) == 0) {
        throw_misuse(
            "the memory cannot be exported as file descriptors; create its VirtualMemoryResource with .sharing = "
            "SharingHandle::posix_file_descriptor");
    }
    if (id_ == std::array<std::uint64_t, 2>{}) id_ = random_id();
    ExportedMemory exported{id_, size, reserved_size_};
    const RelaxedCaptureMode mode;
    driver::CUdeviceptr address = address_;
    for (const std::size_t part : parts_) {
        exported.parts.push_back({export_memory(address), part});
        address += part;
    }
    return exported;
}

std::shared_ptr<VirtualAllocation> VirtualAllocation::import(Device device, const ExportedMemory& exported) {
    VirtualMemoryKind kind;
    {
        const RelaxedCaptureMode mode;
        const PhysicalHandle memory = import_memory(exported.parts.front().descriptor);
        kind.properties = check(driver::cuMemGetAllocationPropertiesFromHandle(memory.native()));
    }
    const MemoryLocation location(kind.properties.location);
    kind.device = location.device();
    // The host can access the mapping only if the access is set, even if the memory is of the host.
    std::vector<driver::CUmemAccessDesc> access;
    if (!kind.device) access.push_back(read_write(location.native()));
    access.push_back(read_write(MemoryLocation(device).native()));
    auto allocation = std::make_shared<VirtualAllocation>(kind, std::move(access), exported.reserved_size, 0);
    allocation->is_imported_ = true;
    allocation->import_parts(device, exported);
    return allocation;
}

void VirtualAllocation::import_parts(Device device, const ExportedMemory& exported) {
    const driver::CUmemAccessDesc own_access = read_write(MemoryLocation(device).native());
    bool has_access = false;
    {
        const std::lock_guard lock(mutex_);
        const std::size_t known = std::min(parts_.size(), exported.parts.size());
        const auto is_same = [](std::size_t size, const ExportedMemory::Part& part) { return size == part.size; };
        if (exported.reserved_size != reserved_size_ ||
            !std::equal(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(known), exported.parts.begin(), is_same)) {
            throw_misuse("the exported memory is not valid: its sizes differ from those of an earlier export");
        }
        const RelaxedCaptureMode mode;
        for (std::size_t part = known; part < exported.parts.size(); ++part) {
            const PhysicalHandle memory = import_memory(exported.parts[part].descriptor);
            map(memory.native(), exported.parts[part].size);
        }
        has_access = std::any_of(access_.begin(), access_.end(), [&](const driver::CUmemAccessDesc& each) {
            return each.location.type == own_access.location.type && each.location.id == own_access.location.id;
        });
    }
    if (!has_access) set_access(own_access);
}

}  // namespace CUBIND_NAMESPACE::detail
