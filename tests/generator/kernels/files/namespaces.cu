// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

namespace outer {
__global__ void first(int* p) { *p = 1; }
namespace inner {
__global__ void second(int* p) { *p = 2; }
}
inline namespace v2 {
__global__ void third(int* p) { *p = 3; }
}
}
namespace outer::inner {
__global__ void fourth(int* p) { *p = 4; }
}
