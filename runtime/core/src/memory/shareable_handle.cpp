// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/shareable_handle.hpp"

#include <cubind/driver/virtual_memory.hpp>

#include <cstdint>
#include <cstring>

namespace CUBIND_NAMESPACE::detail {
namespace {

driver::CUmemAllocationHandleType native_type(SharingHandle kind) noexcept {
    return static_cast<driver::CUmemAllocationHandleType>(kind);
}

}  // namespace

void check_kinds(SharingHandle kinds) {
    constexpr SharingHandle all = SharingHandle::posix_file_descriptor | SharingHandle::fabric;
    if ((kinds & all) != kinds) throw_misuse("there is no SharingHandle with the value ", static_cast<unsigned int>(kinds));
}

void check_one_kind(SharingHandle kind) {
    if (kind == SharingHandle::posix_file_descriptor || kind == SharingHandle::fabric) return;
    throw_misuse("memory is exported with one kind of handles, but SharingHandle has the value ",
                 static_cast<unsigned int>(kind));
}

ShareableHandle export_handle(driver::CUmemGenericAllocationHandle handle, SharingHandle kind) {
    static_assert(sizeof(driver::CUmemFabricHandle) == sizeof(FabricHandle));
    return export_by(
        kind, [&](void* exported) { return driver::cuMemExportToShareableHandle(exported, handle, native_type(kind), 0); });
}

driver::CUmemGenericAllocationHandle import_handle(SharingHandle kind, const FileDescriptor& descriptor,
                                                   const FabricHandle& fabric) {
    if (kind == SharingHandle::fabric) {
        driver::CUmemFabricHandle handle{};
        std::memcpy(&handle, fabric.data(), sizeof handle);
        const auto imported = driver::cuMemImportFromShareableHandle(&handle, native_type(kind));
        if (!imported.ok()) throw_with_advice({imported.status}, fabric_advice);
        return imported.value;
    }
    void* const number = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor.native_handle()));
    return check(driver::cuMemImportFromShareableHandle(number, native_type(kind)));
}

}  // namespace CUBIND_NAMESPACE::detail
