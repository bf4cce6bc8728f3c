// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Storage for the only out value of a wrapper, which the vendor's function writes. It is separate from the status: one load of
/// both directly after two separate stores cannot be forwarded from the stores and takes 3 ns longer. It is 16 bytes wide
/// because clang ends a function with an 8-byte frame by a pop of the frame. After a store of 4 bytes, that pop would be such a
/// load.
template <class Value>
struct alignas(16) Out {
    Value value{};
};

}  // namespace CUBIND_NAMESPACE::detail
