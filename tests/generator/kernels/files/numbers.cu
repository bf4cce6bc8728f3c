// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// standard: c++20

__global__ void numbers(bool a, char b, signed char c, unsigned char d, short e, unsigned short f, int g, unsigned h, long i,
                        unsigned long j, long long k, unsigned long long l, float m, double n, wchar_t o, char8_t p, char16_t q,
                        char32_t r, size_t s, ptrdiff_t t, decltype(nullptr) u) {}
