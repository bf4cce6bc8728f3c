// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

enum Mode { off, on = 5 };
enum class Level : short { low = -1, high };
constexpr int step = 3;
__global__ void defaults(int* p = nullptr, int a = 2 * step + 1, unsigned b = 4000000000u, long long c = -9223372036854775807 - 1,
                         float d = 1.5f, double e = 1, bool f = true, Mode g = on, Level h = Level::low, char i = 'a',
                         float* q = 0, unsigned long long j = ~0ull) {}
struct Pair { int x, y; };
__global__ void mandatory(int a = 1, Pair b = {}, int c = 2) {}
