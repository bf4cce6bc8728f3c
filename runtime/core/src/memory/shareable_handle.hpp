// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/exported_memory.hpp>
#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE::detail {

/// A handle of physical memory or of a multicast object for other processes, of one kind.
struct ShareableHandle {
    SharingHandle kind;
    FileDescriptor descriptor = {};
    FabricHandle fabric = {};
};

/// Exports a handle of the driver (cuMemExportToShareableHandle).
ShareableHandle export_handle(driver::CUmemGenericAllocationHandle handle, SharingHandle kind);

/// Opens a handle of another process, which the caller releases (cuMemImportFromShareableHandle). Only the member for the kind is
/// used.
driver::CUmemGenericAllocationHandle import_handle(SharingHandle kind, const FileDescriptor& descriptor,
                                                   const FabricHandle& fabric);

}  // namespace CUBIND_NAMESPACE::detail
