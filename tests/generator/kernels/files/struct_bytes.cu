// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#pragma pack(push, 1)
struct Packed { char tag; int value; };
#pragma pack(pop)
struct Bits { unsigned low : 5; unsigned high : 11; };
union Either { int number; float real; };
struct Base { int first; };
struct Derived : Base { int second; };
class Hidden {
    int value;
public:
    __device__ int get() const { return value; }
};
struct Empty {};
struct Anonymous { int kind; union { int number; float real; }; };
__global__ void bytes(Packed a, Bits b, Either c, Derived d, Hidden e, Empty f, Anonymous g) {}
