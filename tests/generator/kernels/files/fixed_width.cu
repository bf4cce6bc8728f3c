// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// toolkit: cuda/std/cstdint

#include <cuda/std/cstdint>
__global__ void widths(cuda::std::uint8_t a, cuda::std::int16_t b, cuda::std::uint32_t c, cuda::std::int64_t d,
                       const cuda::std::uint64_t* e, cuda::std::uintptr_t f) {}
