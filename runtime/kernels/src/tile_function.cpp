// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/kernels/tile_function.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {

void throw_large_index(long long value, long long limit) {
    throw_misuse("an array has the extent or stride ", value, ", but the indices of the Tile kernel are at most ", limit,
                 "; export the kernel with index_dtype=int64");
}

}  // namespace CUBIND_NAMESPACE::detail
