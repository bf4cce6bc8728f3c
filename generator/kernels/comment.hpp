// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "extract/header_set.hpp"

namespace cubind::gen::kernels {

/// Returns the comment that ends directly above the line, as lines of plain text without markers; empty if there is none.
std::string comment_above(const extract::HeaderText& text, unsigned line);

}  // namespace cubind::gen::kernels
