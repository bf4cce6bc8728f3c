// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "work/place.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Copies a box of which one or both ends are in tiles. Tiles without memory are read as zeros, and what is written to them is
/// lost. If an array with a deferred mapping has no memory, the copy is a fault of its device.
void copy_tiled_rows(const Operand& to, const Stride& to_stride, const Operand& from, const Stride& from_stride,
                     const BoxExtent& extent);

}  // namespace CUBIND_NAMESPACE::sim
