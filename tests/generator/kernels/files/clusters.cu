// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

__global__ void __cluster_dims__(2, 1, 1) pairs(int* p) {}
__global__ void __cluster_dims__(4) __launch_bounds__(256) fours(int* p) {}
