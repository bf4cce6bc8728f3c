// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/exported_memory.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE::detail {

/// A handle of physical memory or of a multicast object for other processes, of one kind.
struct ShareableHandle {
    SharingHandle kind;
    FileDescriptor descriptor = {};
    FabricHandle fabric = {};
};

/// Why the driver may reject a fabric handle.
inline constexpr const char* fabric_advice =
    "fabric handles require a GPU with an NVLink fabric, the fabric's service, and a channel of IMEX that this user can access";

/// Throws std::invalid_argument unless the value consists of kinds that exist.
void check_kinds(SharingHandle kinds);

/// Throws std::invalid_argument unless the value is one kind of handles.
void check_one_kind(SharingHandle kind);

/// Calls write(pointer), which calls the driver to write a handle of this kind to the pointer.
template <class Write>
ShareableHandle export_by(SharingHandle kind, const Write& write) {
    ShareableHandle exported{kind};
    if (kind == SharingHandle::fabric) {
        const Result<driver::CUresult> done = write(exported.fabric.data());
        if (!done.ok()) throw_with_advice(done, fabric_advice);
    } else {
        int descriptor = -1;
        detail::check_latest(write(&descriptor));
        exported.descriptor = FileDescriptor::from_native_handle(descriptor);
    }
    return exported;
}

/// Exports a handle of the driver (cuMemExportToShareableHandle).
ShareableHandle export_handle(driver::CUmemGenericAllocationHandle handle, SharingHandle kind);

/// Opens a handle of another process, which the caller releases (cuMemImportFromShareableHandle). Only the member for the kind is
/// used.
driver::CUmemGenericAllocationHandle import_handle(SharingHandle kind, const FileDescriptor& descriptor,
                                                   const FabricHandle& fabric);

}  // namespace CUBIND_NAMESPACE::detail
