// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// instance: tile<4, true>
// instance: tile<8>
// instance: paint<Color::green>
// instance: letters<'x'>
// instance: wide<18446744073709551615ull>
// instance: typed<int, -3>

enum class Color : unsigned char { red, green = 7 };
template <int Size, bool Wrap = false>
__global__ void __launch_bounds__(32 * Size) tile(int (*rows)[Size]) { rows[0][Size - 1] = Wrap; }
template <Color C>
__global__ void paint(Color* to) { *to = C; }
template <char C>
__global__ void letters(char* to) { *to = C; }
template <unsigned long long N>
__global__ void wide(unsigned long long* to) { *to = N; }
template <class T, T Value>
__global__ void typed(T* to) { *to = Value; }
