// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <cubind/driver/types.hpp>

#include "ptx/image.hpp"

namespace cubind::sim::ptx {

/// What became of a text: an image, or a status and the reason.
struct Reading {
    driver::CUresult status = driver::CUDA_SUCCESS;
    std::string problem;
    Image image;
};

/// Reads PTX up to its end or a NUL, none newer than `newest_version` (1000 * major + 10 * minor). Whatever the text is, this
/// neither reads beyond it nor takes more memory than in proportion to it.
Reading read(std::string_view text, int newest_version);

/// Whether a text is meant as PTX: it begins, after comments, with .version.
bool looks_like_ptx(std::string_view text);

}  // namespace cubind::sim::ptx
