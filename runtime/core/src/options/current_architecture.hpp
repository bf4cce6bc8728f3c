// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::detail {

/// "sm_90" of the current device, else device 0: what options without an architecture mean. Where there is no device, the Error says
/// that `owner`, the options' class, can name one.
std::string current_architecture(const char* owner);

}  // namespace cubind::detail
