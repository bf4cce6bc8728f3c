// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// include: headers

#include <shapes/all.hpp>

#include "beside/types.hpp"
__global__ void place(shapes::Circle circle, shapes::Box<float>* boxes, beside::Style style, beside::Nested nested,
                      shapes::Box<int2> cells) {}
