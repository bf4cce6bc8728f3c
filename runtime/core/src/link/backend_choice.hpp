// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/linker.hpp>

#include <string>

namespace cubind::detail {

struct BackendChoice {
    LinkerBackend backend;
    std::string fallback_reason;
};

/// nvJitLink where there is one that is new enough.
BackendChoice choose_backend();

}  // namespace cubind::detail
