// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Storage for the only out value of a wrapper, which the vendor's function writes. It is separate from the status: if one load
/// read both directly after two separate stores, the processor could not forward the stores to the load, which takes 3 ns
/// longer. It is 16 bytes wide because clang removes an 8-byte stack frame with a pop. After a store of 4 bytes, that pop would
/// load 8 bytes, which cannot be forwarded either.
template <class Value>
struct alignas(16) Out {
    Value value{};
};

}  // namespace CUBIND_NAMESPACE::detail
