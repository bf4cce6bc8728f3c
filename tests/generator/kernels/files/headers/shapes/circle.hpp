// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#pragma once
namespace shapes {
struct Circle {
    float x, y, radius;
};
}  // namespace shapes
