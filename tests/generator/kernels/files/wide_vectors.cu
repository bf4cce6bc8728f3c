// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// since: 13.0

__global__ void wide(double4_16a a, double4_32a b, longlong4_32a c, ulong4_16a d) {}
