// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "extract/function_collector.hpp"
#include "spec/facts.hpp"
#include "spec/library.hpp"

namespace cubind::gen::extract {

/// Reads the headers of one library in `release`. Throws InputError with clang's diagnostics if they do not parse. If
/// `comments` is not null, also stores the documentation of functions and enumerators there.
spec::Facts extract(const spec::LibraryConfig& config, const std::vector<std::filesystem::path>& includes,
                    const std::string& release, Comments* comments = nullptr);

}  // namespace cubind::gen::extract
