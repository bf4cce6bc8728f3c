// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Instructions for video with parts of registers.
Forms video_forms();

}  // namespace CUBIND_NAMESPACE::sim::ptx
