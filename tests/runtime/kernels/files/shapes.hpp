// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Types that the host and device code share.
namespace shapes {

struct Box {
    float low[3];
    float high[3];
};

enum class Side : unsigned char { low = 1, high = 2 };

}  // namespace shapes
