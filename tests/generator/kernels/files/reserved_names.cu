// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

struct __pair { int _First; int __second; };
__global__ void __hidden(int __value, __pair _Pair, int) {}
__global__ void two__words(int a, int) {}
