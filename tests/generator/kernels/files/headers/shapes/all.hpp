// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#pragma once
#include "shapes/circle.hpp"
namespace shapes {
template <class T>
struct Box {
    T low, high;
};
}  // namespace shapes
