// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BESIDE_NESTED_INNER_HPP
#define BESIDE_NESTED_INNER_HPP
namespace beside {
struct Nested {
    int depth;
};
}  // namespace beside
#endif
