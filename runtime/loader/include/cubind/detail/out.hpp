// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Storage for the only out value of a wrapper, which the vendor's function writes. It is separate from the status: a processor
/// that loads both at once directly after two separate writes waits 3 ns for the writes. It is 16 bytes wide because clang ends a
/// function with an 8-byte frame by popping the frame, and after a write of 4 bytes that pop is such a load, too.
template <class Value>
struct alignas(16) Out {
    Value value{};
};

}  // namespace CUBIND_NAMESPACE::detail
