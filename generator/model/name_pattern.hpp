// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fnmatch.h>
#include <string>

namespace cubind::gen::model {

/// Returns whether `name` is `pattern`, in which * stands for any characters.
inline bool matches(const std::string& pattern, const std::string& name) {
    return fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

}  // namespace cubind::gen::model
