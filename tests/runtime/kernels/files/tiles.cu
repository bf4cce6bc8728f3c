// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda_tile.h>

// Adds two vectors.
template <class T, int width>
__tile_global__ void add(const T* x, const T* y, T* sum, int count) {
    namespace ct = cuda::tiles;
    const auto i = ct::iota<ct::tile<int, ct::shape<width>>>() + int(ct::bid().x) * width;
    const auto inside = i < count;
    ct::store_masked(sum + i, ct::load_masked(x + i, inside, T(0)) + ct::load_masked(y + i, inside, T(0)), inside);
}
