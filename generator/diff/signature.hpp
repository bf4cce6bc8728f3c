// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::gen::diff {

/// Returns the C types of a function or callback: "CUresult (CUdeviceptr *, size_t)".
template <class Callable>
std::string signature(const Callable& callable) {
    std::string text = callable.returns + " (";
    for (const auto& parameter : callable.parameters) {
        if (&parameter != &callable.parameters.front()) text += ", ";
        text += parameter.type;
    }
    return text + ")";
}

}  // namespace cubind::gen::diff
