// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind::detail {

/// Where the vendor's function writes a wrapper's only out value. It stands apart from the status, since a processor that loads
/// both at once right after they were written one by one waits for both writes: 3 ns. It is wide, because clang ends a
/// function with an 8-byte frame by popping it, which after a write of 4 bytes is such a load too.
template <class Value>
struct alignas(16) Out {
    Value value{};
};

}  // namespace cubind::detail
