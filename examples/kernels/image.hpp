// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The size of an image in pixels. Its rows follow each other without gaps. Host and device code share this type.
struct ImageSize {
    int width;
    int height;
};
