// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// option: device_int128

__global__ void multiply(__int128* out, __int128 left, unsigned __int128 right) { *out = left * static_cast<__int128>(right); }
