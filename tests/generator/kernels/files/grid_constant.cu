// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

struct Options { int width; float scale; };
__global__ void configured(const __grid_constant__ Options options, const int count, volatile int limit) {}
