// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

enum Plain { one = 1, two };
enum Small : unsigned char { tiny, huge = 255 };
enum class Scoped : long long { least = -5, most = 1ll << 40 };
namespace kinds {
enum class Kind { circle, square };
struct Shape {
    enum Side { left, right };
    Side side;
    Kind kind;
};
}
__global__ void enums(Plain a, Small b, Scoped c, kinds::Kind d, kinds::Shape e, kinds::Shape::Side f) {}
