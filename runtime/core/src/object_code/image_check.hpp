// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind::detail {

class ObjectCodeState;

/// What the driver will take code for: it looks at the bytes, whatever they are said to be.
enum class ImageForm { binary, text };

/// Throws for code that cannot be loaded: std::invalid_argument for a kind that has to be linked first, LoadError for an image that is
/// cut off. The driver is told no size, so it would read beyond the end of that.
ImageForm check_image(const ObjectCodeState& code);

}  // namespace cubind::detail
