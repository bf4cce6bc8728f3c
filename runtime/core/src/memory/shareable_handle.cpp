// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/shareable_handle.hpp"

#include <cubind/driver/virtual_memory.hpp>

#include <cstdint>
#include <cstring>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

driver::CUmemAllocationHandleType native_type(SharingHandle kind) noexcept {
    return static_cast<driver::CUmemAllocationHandleType>(kind);
}

constexpr const char* fabric_advice =
    "fabric handles require a GPU with an NVLink fabric, the fabric's service, and a channel of IMEX that this user can access";

}  // namespace

ShareableHandle export_handle(driver::CUmemGenericAllocationHandle handle, SharingHandle kind) {
    ShareableHandle exported{kind};
    if (kind == SharingHandle::fabric) {
        driver::CUmemFabricHandle fabric{};
        const auto done = driver::cuMemExportToShareableHandle(&fabric, handle, native_type(kind), 0);
        if (!done.ok()) throw_with_advice(done, fabric_advice);
        static_assert(sizeof fabric == sizeof exported.fabric);
        std::memcpy(exported.fabric.data(), &fabric, sizeof fabric);
    } else {
        int descriptor = -1;
        check(driver::cuMemExportToShareableHandle(&descriptor, handle, native_type(kind), 0));
        exported.descriptor = FileDescriptor::from_native_handle(descriptor);
    }
    return exported;
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
